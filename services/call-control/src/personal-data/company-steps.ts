import { decided } from '@parley/errors';
import type { DeletedCompany, ErasureStep } from '@parley/personal-data';
import type { Calls } from '../calls/store/call-store.ts';
import { cursorOf, positionFrom } from '../calls/store/list-cursors.ts';
import type { Blobs } from '../recordings/blob-store.ts';
import { OLDEST_VOICEMAIL_FIRST, type Voicemails } from '../voicemails/voicemail-store.ts';

/** Calls or voicemails that one portion looks at. */
const PORTION = 50;

/** Audio of a company that is deleted; calls in progress are waited for, which its suspension has ended. */
export function companySteps(deps: {
  readonly calls: Calls;
  readonly voicemails: Voicemails;
  readonly blobs: Blobs;
}): ErasureStep<DeletedCompany>[] {
  const { calls, voicemails, blobs } = deps;
  return [
    {
      name: 'open_calls',
      erase: async ({ companyId }) => ({ removed: 0, isWaiting: (await calls.openOf(companyId)).length > 0 }),
    },
    {
      name: 'recordings',
      async erase({ companyId }, position) {
        const after = position === '' ? undefined : positionFrom(position);
        const page = await calls.oldest(companyId, PORTION, { after });
        for (const { recordings } of page) for (const { name } of recordings) await blobs.remove(name);
        const last = page.length < PORTION ? undefined : page.at(-1);
        return { removed: 0, next: last && cursorOf(last) };
      },
    },
    {
      name: 'voicemails',
      async erase({ companyId }) {
        const own = voicemails.of(companyId);
        const found = await Array.fromAsync(own.find({}, OLDEST_VOICEMAIL_FIRST, PORTION));
        for (const { id, recording } of found) {
          await blobs.remove(recording);
          await own.changeIfExists(id, () => decided(null));
        }
        return { removed: found.length, next: found.length < PORTION ? undefined : '' };
      },
    },
  ];
}
