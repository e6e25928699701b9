import type { Migration } from '@parley/mongo';
import type { Encryptor } from '@parley/secrets';
import type { Collection, Db, Document } from 'mongodb';
import { textContext } from './messages/message.ts';
import { keywordOf } from './opt-outs/keyword.ts';
import { itemTexts } from './projection/item-texts.ts';
import { phoneParts } from './projection/thread.ts';

type AnyCollection = Collection<Document & { _id: string }>;

/** Documents that are changed with one command. */
const BATCH = 500;

/** A decision made on the old fields is made again. */
const NEXT_VERSION = { $inc: { _version: 1 } };

export function migrationsWith(encryptor: Encryptor): readonly Migration[] {
  return [
    {
      name: '0.3.0',
      async run(db) {
        await renameWanted(db);
        await completeThreads(db);
        await sealTexts(db, encryptor);
        await nameKeywords(db, encryptor);
      },
    },
  ];
}

async function renameWanted(db: Db): Promise<void> {
  const settings = db.collection('notification_settings');
  await settings.updateMany({ wanted: { $exists: true } }, [
    { $set: { enabled: { $ifNull: ['$enabled', '$wanted'] }, _version: { $add: ['$_version', 1] } } },
    { $unset: 'wanted' },
  ]);
  if (await settings.indexExists('renamed_wanted').catch(() => false)) await settings.dropIndex('renamed_wanted');
}

async function completeThreads(db: Db): Promise<void> {
  const threads: AnyCollection = db.collection('inbox_threads');
  await threads.updateMany({ pendingChanges: { $exists: false } }, { $set: { pendingChanges: [] }, ...NEXT_VERSION });
  await threads.updateMany({ marks: { $exists: false } }, { $set: { marks: ['open'] }, ...NEXT_VERSION });
  await changeEach(threads, { phoneGrams: { $exists: false } }, ({ phone, withMessages, withoutMessages }) =>
    withMessages || withoutMessages ? phoneParts(String(phone)) : { phoneSuffixes: [], phoneGrams: [] },
  );
}

/** Words of calls and voicemails that were stored as they are. */
async function sealTexts(db: Db, encryptor: Encryptor): Promise<void> {
  const { seal } = itemTexts(encryptor);
  for (const name of ['content.summary', 'content.transcription'])
    await changeEach(db.collection('inbox_items'), { [name]: { $type: 'string' } }, (item) => ({
      [name]: seal(item._id, String(item['content'][name.split('.')[1]!])),
    }));
  for (const summary of ['withMessages', 'withoutMessages'])
    for (const name of ['summary', 'transcription'])
      await changeEach(
        db.collection('inbox_threads'),
        { [`${summary}.latestItem.content.${name}`]: { $type: 'string' } },
        (thread) => {
          const { id, content } = thread[summary].latestItem as { id: string; content: Document };
          return { [`${summary}.latestItem.content.${name}`]: seal(id, String(content[name])) };
        },
      );
}

/** Commands that do not say which keyword they confirm. */
async function nameKeywords(db: Db, encryptor: Encryptor): Promise<void> {
  const isUnnamed = { kind: 'answer_keyword', 'payload.keyword': { $exists: false } };
  await changeEach(db.collection('messages'), { _commands: { $elemMatch: isUnnamed } }, (message) => {
    const keyword = keywordOf(textOf(message, encryptor));
    const commands = (message['_commands'] as Document[]).flatMap((entry) => {
      if (entry['kind'] !== 'answer_keyword' || entry['payload'].keyword !== undefined) return [entry];
      return keyword ? [{ ...entry, payload: { ...entry['payload'], keyword } }] : [];
    });
    return {
      _commands: commands.length > 0 ? commands : undefined,
      ...(commands.length === 0 && { _takeAt: undefined }),
    };
  });
}

/** Empty when its key is gone: one text must not keep the service from starting. */
function textOf({ _id, encryptedText }: Document, encryptor: Encryptor): string {
  try {
    return encryptor.decrypt(String(encryptedText), textContext(String(_id)));
  } catch {
    return '';
  }
}

/** Assigns fields to each document that fits, and removes those that are undefined; one that has changed meanwhile is looked at again. */
async function changeEach(
  collection: AnyCollection,
  filter: Document,
  fieldsOf: (document: Document & { _id: string }) => Document,
): Promise<void> {
  const updateOf = (document: Document & { _id: string }) => {
    const fields = Object.entries(fieldsOf(document));
    const $set = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    const $unset = Object.fromEntries(fields.filter(([, value]) => value === undefined));
    const filterOfOne = { _id: document._id, _version: document['_version'] };
    const removal = Object.keys($unset).length > 0 && { $unset };
    return { updateOne: { filter: filterOfOne, update: { $set, ...removal, ...NEXT_VERSION } } };
  };
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    let updates: ReturnType<typeof updateOf>[] = [];
    const write = async () => {
      if (updates.length > 0) await collection.bulkWrite(updates, { ordered: false });
      isChanged ||= updates.length > 0;
      updates = [];
    };
    for await (const document of collection.find(filter)) {
      updates.push(updateOf(document));
      if (updates.length === BATCH) await write();
    }
    await write();
  }
}
