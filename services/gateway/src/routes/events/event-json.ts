import type { LoggedEvent } from '@parley/proto/webhooks/v1/event_log_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';

/** A body without an address needs not be parsed. Quotes inside texts are escaped, so that nothing else looks like it. */
const HAS_RECORDING = '"recording_url":"';
const RECORDING_NAME = /\/media\/recordings\/([^/?]+)\?/;

interface BodyWithRecording {
  readonly data: { readonly recording_url?: string | null };
}

/** Writes events as JSON for a reader. */
export type WriteEvents = (reader: EmployeePrincipal, events: readonly LoggedEvent[]) => Promise<string[]>;

/** The addresses of recordings in the events are replaced by the reader's own, with one look-up for all of them; of those that are gone by null. */
export function eventWriter({ recordingAddresses }: Pick<Clients, 'recordingAddresses'>): WriteEvents {
  async function addressesOf(
    reader: EmployeePrincipal,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (names.length === 0) return new Map();
    const { recordings } = await recordingAddresses.signRecordings({ names: [...new Set(names)] }, { as: reader });
    return new Map(recordings.map(({ name, url }) => [name, url]));
  }

  return async (reader, events) => {
    const read = events.map(({ id, body }) => ({ id, body, recorded: recordedBody(body) }));
    const names = read.flatMap(({ recorded }) => recorded?.name ?? []);
    const addresses = await addressesOf(reader, names);
    return read.map(({ id, body, recorded }) => {
      if (!recorded) return `{"id":${JSON.stringify(id)},${body.slice(1)}`;
      const { content, name } = recorded;
      const data = { ...content.data, recording_url: addresses.get(name) ?? null };
      return JSON.stringify({ id, ...content, data });
    });
  };
}

/** The body and the name of its recording, if it has one. */
function recordedBody(body: string): { content: BodyWithRecording; name: string } | undefined {
  if (!body.includes(HAS_RECORDING)) return undefined;
  const content = JSON.parse(body) as BodyWithRecording;
  const [, name = ''] = RECORDING_NAME.exec(content.data.recording_url ?? '') ?? [];
  return { content, name };
}
