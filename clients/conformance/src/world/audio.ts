import { Failure } from '../expectations/failure.ts';
import type { Network } from '../http/network.ts';

/** The audio at an address, listened to without credentials, as a player does. */
export async function audioAt(network: Network, address: string): Promise<Uint8Array> {
  const { origin, pathname, search } = new URL(address);
  const { status, headers, bytes } = await network.send({
    method: 'GET',
    base: origin,
    path: pathname + search,
    headers: {},
  });
  const type = headers.get('content-type') ?? 'nothing';
  if (status !== 200 || !type.startsWith('audio/') || bytes.length === 0)
    throw new Failure(`the audio at ${address} was answered with ${status}, ${type} and ${bytes.length} bytes`);
  return bytes;
}
