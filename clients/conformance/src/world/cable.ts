import { eventually } from '../expectations/eventually.ts';
import { Failure } from '../expectations/failure.ts';
import { mismatch, type Shape, shown } from '../expectations/shapes.ts';
import type { Network } from '../http/network.ts';

type Headers = Readonly<Record<string, string>>;

/** Action Cable's name of its protocol. */
const PROTOCOL = 'actioncable-v1-json';

/** A connection to the live channel, by Action Cable's protocol; it keeps everything that comes. */
export class Cable {
  /** What came, in order, without pings. */
  readonly received: any[] = [];
  readonly pings: any[] = [];
  readonly #socket: WebSocket;
  #isClosed = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data));
      (message.type === 'ping' ? this.pings : this.received).push(message);
    });
    socket.addEventListener('close', () => (this.#isClosed = true));
    // The reason is in `close`, which follows.
    socket.addEventListener('error', () => undefined);
  }

  /** Connects with these credentials and closes after `use`. `base` is the address of the service. */
  static async with(
    network: Network,
    base: string,
    headers: Headers,
    use: (cable: Cable) => Promise<void>,
    path = '/cable',
  ): Promise<void> {
    const address = network.addressOf(base).replace(/\/$/, '').replace(/^http/, 'ws') + path;
    // Node.js takes headers here, unlike browsers.
    const options = { protocols: [PROTOCOL], headers: { ...headers } };
    const cable = new Cable(new WebSocket(address, options as unknown as string[]));
    try {
      await use(cable);
    } finally {
      cable.#socket.close();
    }
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  send(command: object): void {
    this.#socket.send(JSON.stringify(command));
  }

  /** Waits for something of a shape; it. */
  async gets(shape: Shape): Promise<any> {
    return await eventually('the live channel', async () => {
      const found = this.received.find((message) => mismatch(message, shape, 'it') === undefined);
      if (!found) throw new Failure(`it has ${shown(shape)} not among ${shown(this.received)}`);
      return found;
    });
  }

  /** Subscribes to a channel and waits for the confirmation; the messages of this subscription are read with `messages`. */
  async subscribes(channel: object): Promise<string> {
    const identifier = await this.asksFor(channel);
    await this.gets({ type: 'confirm_subscription', identifier });
    return identifier;
  }

  async asksFor(channel: object): Promise<string> {
    await this.gets({ type: 'welcome' });
    const identifier = JSON.stringify(channel);
    this.send({ command: 'subscribe', identifier });
    return identifier;
  }

  /** The messages of a subscription until now. */
  messages(identifier: string): any[] {
    return this.received
      .filter((one) => one.identifier === identifier && 'message' in one)
      .map(({ message }) => message);
  }

  /** Waits until the server has ended the connection. */
  async isEnded(): Promise<void> {
    await eventually('the connection is ended', () => {
      if (!this.#isClosed) throw new Failure('it is open');
      return Promise.resolve();
    });
  }
}
