import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** UDP sockets for RTP, on the even ports of a range: the odd ones are for RTCP, which nobody here sends (RFC 3550, section 11). */
export class RtpPorts {
  readonly #address: string;
  /** Undefined: any free port. */
  readonly #ports: readonly number[] | undefined;
  readonly #used = new Set<number>();
  #next = 0;

  /** `address` is the local one, also `0.0.0.0`. */
  constructor(address: string, range: PortRange | 'any') {
    this.#address = address;
    if (range === 'any') return;
    const { first, last } = range;
    const even = first + (first % 2);
    this.#ports = Array.from(
      { length: Math.max(0, Math.floor((last - even) / 2) + 1) },
      (_, index) => even + 2 * index,
    );
  }

  /** Undefined when all are in use. The port used last is tried last: late packets of another call may still come there. */
  async open(): Promise<Socket | undefined> {
    if (!this.#ports) return bound(this.#address, 0);
    for (let tried = 0; tried < this.#ports.length; tried += 1) {
      const port = this.#ports[this.#next]!;
      this.#next = (this.#next + 1) % this.#ports.length;
      if (this.#used.has(port)) continue;
      this.#used.add(port);
      const socket = await bound(this.#address, port);
      if (socket) {
        socket.once('close', () => this.#used.delete(port));
        return socket;
      }
      this.#used.delete(port);
    }
    return undefined;
  }
}

/** Undefined when another process has the port. */
async function bound(address: string, port: number): Promise<Socket | undefined> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  try {
    socket.bind(port, address);
    await once(socket, 'listening');
    return socket;
  } catch {
    socket.close();
    return undefined;
  }
}
