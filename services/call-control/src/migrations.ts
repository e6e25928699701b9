import { type Migration, setMissing } from '@parley/mongo';
import { type Encryptor, encryptor as createEncryptor } from '@parley/secrets';
import { type SearchWordKeys, searchWordKeys } from '@parley/text';
import { type Collection, type Db, type Document, GridFSBucket, type ObjectId } from 'mongodb';
import { transcriptContext } from './transcripts/transcript-store.ts';
import { voicemailTexts } from './voicemails/voicemail-proto.ts';

type StoredDocument = Document & { _id: string };

/** A decision that was made on the fields of before is made again. */
const newVersion = { $inc: { _version: 1 } } as const;

/** Brings the data of earlier versions into the form that this one reads. */
export function migrations(encryptionKeys: readonly string[]): readonly Migration[] {
  return [
    {
      name: '0.3.0',
      async run(db) {
        const encryptor = createEncryptor(encryptionKeys);
        await migrateCalls(db.collection('calls'));
        await sealTranscripts(db, encryptor);
        await sealVoicemailTexts(db.collection('voicemails'), encryptor);
        await addLengths(db.collection('transcriptions'));
        await completePresence(db);
        await moveSwitchContacts(db);
        await removeRepeatedRecordings(db);
      },
    },
    {
      name: '0.4.0',
      async run(db) {
        await setMissing(db, 'call_search', { callerWords: [], callerVectors: [] });
        await hashSearchWords(db.collection('call_search'), searchWordKeys(encryptionKeys));
      },
    },
  ];
}

async function migrateCalls(calls: Collection<StoredDocument>): Promise<void> {
  await calls.updateMany({ talks: { $exists: true } }, [
    {
      $set: { conversationSpans: { $ifNull: ['$conversationSpans', '$talks'] }, _version: { $add: ['$_version', 1] } },
    },
    { $unset: 'talks' },
  ]);
  await calls.updateMany(
    { isOpen: true, 'phase.kind': 'waiting', 'phase.declinedUntil': { $exists: false } },
    { $set: { 'phase.declinedUntil': [] }, ...newVersion },
  );
  await calls.updateMany(
    { isOpen: true, 'phase.kind': 'waiting', 'phase.passedOver': { $exists: true } },
    { $unset: { 'phase.passedOver': '' }, ...newVersion },
  );
  await calls.updateMany(
    { isOpen: true, 'phase.kind': 'passing_on' },
    { $set: { 'phase.kind': 'blind_transfer' }, ...newVersion },
  );
  await calls.updateMany(
    { isOpen: true, recordingPause: { $ne: null }, 'recordingPause.isMasked': { $exists: false } },
    [
      {
        $set: {
          'recordingPause.isMasked': { $and: ['$recordingPause.isPaused', '$recordingPause.isConfirmed'] },
          _version: { $add: ['$_version', 1] },
        },
      },
    ],
  );
  await renameCommand(calls, 'seek_employees', 'dispatch_employees');
  await renameCommand(calls, 'find_places', 'update_queue_positions');
}

async function renameCommand(calls: Collection<StoredDocument>, from: string, to: string): Promise<void> {
  await calls.updateMany(
    { '_commands.kind': from },
    { $set: { '_commands.$[one].kind': to }, ...newVersion },
    { arrayFilters: [{ 'one.kind': from }] },
  );
}

/** Summaries were part of their calls, and transcripts not encrypted. */
async function sealTranscripts(db: Db, { encrypt, decrypt }: Encryptor): Promise<void> {
  const calls = db.collection<StoredDocument>('calls');
  const transcripts = db.collection<StoredDocument>('transcripts');
  const seal = (_id: string, content: object) =>
    transcripts.updateOne(
      { _id },
      {
        $set: { sealed: encrypt(JSON.stringify(content), transcriptContext(_id)) },
        $unset: { segments: '', text: '', summary: '' },
        ...newVersion,
      },
    );
  for await (const { _id, segments, text, summary = null } of transcripts.find({ sealed: { $exists: false } }))
    await seal(_id, { segments, text, summary });
  for await (const { _id, summary } of calls.find({ summary: { $exists: true } }, { projection: { summary: 1 } })) {
    const transcript = summary ? await transcripts.findOne({ _id }) : null;
    if (transcript) {
      const content = JSON.parse(decrypt(String(transcript['sealed']), transcriptContext(_id))) as object;
      if (!('summary' in content && content.summary)) await seal(_id, { ...content, summary });
    }
    await calls.updateOne({ _id }, { $unset: { summary: '' }, ...newVersion });
  }
}

async function sealVoicemailTexts(voicemails: Collection<StoredDocument>, encryptor: Encryptor): Promise<void> {
  const texts = voicemailTexts(encryptor);
  for await (const { _id, transcription, sealedTranscription } of voicemails.find({ transcription: { $exists: true } }))
    await voicemails.updateOne(
      { _id },
      {
        ...(typeof transcription === 'string' &&
          sealedTranscription === undefined && { $set: { sealedTranscription: texts.seal(_id, transcription) } }),
        $unset: { transcription: '' },
        ...newVersion,
      },
    );
}

/** Recordings of unknown length were transcribed as short ones. */
async function addLengths(transcriptions: Collection<StoredDocument>): Promise<void> {
  await transcriptions.updateMany({ durationMs: { $exists: false } }, { $set: { durationMs: 0 }, ...newVersion });
  await transcriptions.updateMany(
    { _commands: { $elemMatch: { 'payload.durationMs': { $exists: false } } } },
    { $set: { '_commands.$[one].payload.durationMs': 0 }, ...newVersion },
    { arrayFilters: [{ 'one.payload.durationMs': { $exists: false } }] },
  );
}

async function completePresence(db: Db): Promise<void> {
  const presences = db.collection<StoredDocument>('employee_presences');
  for (const field of ['employee.callWaiting', 'employee.emailConfirmationPending'])
    await presences.updateMany({ [field]: { $exists: false } }, { $set: { [field]: false }, ...newVersion });
  // They last for an hour, and end with any sign-out of the employee.
  await db
    .collection('softphone_sessions')
    .updateMany(
      { sessions: { $elemMatch: { madeWith: { $exists: false } } } },
      { $set: { 'sessions.$[one].madeWith': { credentialType: 'session', credentialId: '' } }, ...newVersion },
      { arrayFilters: [{ 'one.madeWith': { $exists: false } }] },
    );
}

/** When switches were reached was in a collection of its own. */
async function moveSwitchContacts(db: Db): Promise<void> {
  const contacts = db.collection<{ _id: string; reachedAt: Date }>('switch_contacts');
  const leases = db.collection<StoredDocument>('switch_leases');
  const free = { companyId: '', owner: '', until: new Date(0), term: 0, _version: 0, _stamps: [], _deleted: false };
  for await (const { _id, reachedAt } of contacts.find()) {
    await leases.updateOne({ _id }, { $setOnInsert: free }, { upsert: true });
    await leases.updateOne({ _id, reachedAt: { $exists: false } }, { $set: { reachedAt }, ...newVersion });
  }
  await contacts.deleteMany({});
}

/** A recording could be stored several times under its name, and the last one counted. */
async function removeRepeatedRecordings(db: Db): Promise<void> {
  const bucket = new GridFSBucket(db, { bucketName: 'recordings' });
  const repeated = db
    .collection('recordings.files')
    .aggregate<{ ids: ObjectId[] }>([
      { $sort: { filename: -1, uploadDate: -1 } },
      { $group: { _id: '$filename', ids: { $push: '$_id' } } },
      { $match: { 'ids.1': { $exists: true } } },
    ]);
  for await (const { ids } of repeated) for (const id of ids.slice(1)) await bucket.delete(id);
}

/** What is no hash: hashes begin with `#`, which no word contains. */
const PLAIN_WORD = /^[^#]/;

/** Words of calls were stored as they are. An entry that another process changes meanwhile is read again. */
async function hashSearchWords(entries: Collection<StoredDocument>, keys: SearchWordKeys): Promise<void> {
  let isComplete = false;
  while (!isComplete) {
    isComplete = true;
    for await (const { _id, _version, companyId, words, callerWords } of entries.find({ words: PLAIN_WORD })) {
      const hashed = (some: readonly string[]) =>
        some.map((word) => (PLAIN_WORD.test(word) ? keys.stored(companyId, word) : word));
      const change = { $set: { words: hashed(words), callerWords: hashed(callerWords) }, ...newVersion };
      const { modifiedCount } = await entries.updateOne({ _id, _version }, change);
      if (modifiedCount === 0) isComplete = false;
    }
  }
}
