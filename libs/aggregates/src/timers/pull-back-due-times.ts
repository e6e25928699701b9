import type { StoredDocument } from '../stored/stored-document.ts';
import type { Collection } from 'mongodb';

/** After a clock went back: nothing waits longer from now than it was meant to wait. */
export async function pullBackDueTimes(collection: Collection<StoredDocument>, now: Date): Promise<void> {
  const sooner = (due: string) => ({ $min: [`${due}.at`, { $add: [now, `${due}.waitMs`] }] });
  const timers = {
    $map: { input: { $ifNull: ['$_timers', []] }, in: { $mergeObjects: ['$$this', { at: sooner('$$this') }] } },
  };
  const commands = {
    $map: {
      input: { $ifNull: ['$_commands', []] },
      in: {
        $mergeObjects: [
          '$$this',
          {
            retry: {
              $cond: [
                { $eq: ['$$this.retry', null] },
                null,
                { $mergeObjects: ['$$this.retry', { at: sooner('$$this.retry') }] },
              ],
            },
          },
        ],
      },
    },
  };
  const ahead = { $gt: now };
  const times = { $concatArrays: ['$_timers.at', '$_commands.retry.at'] };
  await collection.updateMany(
    { _dueAt: { $exists: true }, $or: [{ '_timers.at': ahead }, { '_commands.retry.at': ahead }] },
    [
      { $set: { _timers: timers, _commands: commands } },
      { $set: { _dueAt: { $min: times }, _version: { $add: ['$_version', 1] } } },
    ],
  );
}
