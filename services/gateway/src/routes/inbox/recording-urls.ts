import type { InboxItem } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';

export async function recordingUrls(
  voicemails: Clients['voicemails'],
  items: readonly InboxItem[],
  context: EmployeePrincipal,
): Promise<(voicemailId: string) => string | null> {
  const ids = items.filter(({ content }) => content.case === 'voicemail').map(({ id }) => id);
  if (ids.length === 0) return () => null;
  const found = await voicemails.getVoicemails({ ids }, { as: context });
  const urls = new Map(found.voicemails.map(({ id, recordingUrl }) => [id, recordingUrl]));
  return (id) => urls.get(id) ?? null;
}
