import { setTimeout as sleep } from 'node:timers/promises';
import { isUnreachable } from '@parley/mongo';
import { type Encryptor, encryptor } from '@parley/secrets';
import type { Telemetry } from '@parley/telemetry';
import type { Db, Document } from 'mongodb';

/** What a service encrypts in its database. */
export interface EncryptedTexts {
  /** The first one encrypts. */
  readonly keys: readonly string[];
  /** The contexts that a text in a document, or in an object within it, may be encrypted for. */
  contextsOf(owner: Document): readonly string[];
}

/** What one pass over a database has found. */
export interface RenewedTexts {
  readonly renewed: number;
  /** Still under a former key: changed meanwhile by others, or of a context that is not known. */
  readonly left: number;
}

interface StaleText {
  /** With dots, as in an update. */
  readonly path: string;
  readonly text: string;
  /** The objects that it is in, the innermost first. */
  readonly owners: readonly Document[];
}

const ENCRYPTED = /^v1\.[\w-]{8}\.[\w-]+$/;
const PORTION = 100;
/** Files are encrypted in another way, and are large. */
const OF_FILES = /\.(chunks|files)$/;
const AGAIN_AFTER_MS = 30_000;
/** Replicas with another key in front may still write. */
const LOOK_AGAIN_MS = 3600_000;

/**
 * While there are several keys: encrypts anew, with the first one, what is still under another, a portion at a time. The log and the
 * metric say when no text needs the other keys any more.
 */
export function startEncryptionRenewal(db: Db, { keys, contextsOf }: EncryptedTexts, { log, meter }: Telemetry) {
  const ending = new AbortController();
  let left = 0;
  meter.createObservableGauge('parley_texts_under_former_keys').addCallback((result) => result.observe(left));
  const texts = encryptor(keys);
  const work = (async () => {
    while (!ending.signal.aborted) {
      const found = await renewTexts(db, texts, contextsOf, ending.signal).catch((error: unknown) => {
        if (!isUnreachable(error))
          log.warn({ err: error }, 'texts under a former encryption key were not renewed; trying again');
        return undefined;
      });
      left = found?.left ?? left;
      if (found && found.renewed > 0) log.info(found, 'texts renewed under the present encryption key');
      const isDone = found && found.renewed + found.left === 0;
      if (isDone) log.info('no text is under a former encryption key');
      await sleep(isDone ? LOOK_AGAIN_MS : AGAIN_AFTER_MS, undefined, { signal: ending.signal }).catch(() => {});
    }
  })();
  return {
    async stop(): Promise<void> {
      ending.abort();
      await work;
    },
  };
}

/** One pass over every collection. It rests after each portion for as long as that took. */
export async function renewTexts(
  db: Db,
  texts: Encryptor,
  contextsOf: EncryptedTexts['contextsOf'],
  signal?: AbortSignal,
): Promise<RenewedTexts> {
  let renewed = 0;
  let left = 0;
  for (const collection of await db.collections()) {
    if (OF_FILES.test(collection.collectionName)) continue;
    let began = performance.now();
    let read = 0;
    for await (const document of collection.find({}, { batchSize: PORTION })) {
      if (signal?.aborted) return { renewed, left };
      const stale = staleTexts(document, texts);
      const renewals = stale.map((one) => [one, renewal(one, texts, contextsOf)] as const);
      const known = renewals.filter(([, anew]) => anew !== undefined);
      left += renewals.length - known.length;
      if (known.length > 0) {
        // Whoever has changed one of them meanwhile has encrypted it anew, or it is found by the next pass.
        const unchanged = Object.fromEntries(known.map(([{ path, text }]) => [path, text]));
        const { modifiedCount } = await collection.updateOne(
          { _id: document._id, ...unchanged },
          {
            $set: Object.fromEntries(known.map(([{ path }, anew]) => [path, anew])),
            // A decision that was made on the former ones is made again.
            ...(typeof document['_version'] === 'number' && { $inc: { _version: 1 } }),
          },
        );
        if (modifiedCount === 1) renewed += known.length;
        else left += known.length;
      }
      if (++read % PORTION === 0) {
        await sleep(performance.now() - began);
        began = performance.now();
      }
    }
  }
  return { renewed, left };
}

/** The same text under the first key; undefined for a text of an unknown context. Equal ones stay equal, for those who compare them. */
function renewal(
  { text, owners }: StaleText,
  { decrypt, encryptRepeatably }: Encryptor,
  contextsOf: EncryptedTexts['contextsOf'],
) {
  for (const context of owners.flatMap(contextsOf)) {
    try {
      return encryptRepeatably(decrypt(text, context), context);
    } catch {
      // of another context, which is authenticated
    }
  }
  return undefined;
}

function staleTexts(document: Document, { isStale }: Encryptor): StaleText[] {
  const found: StaleText[] = [];
  const look = (value: unknown, path: string, owners: readonly Document[]) => {
    if (typeof value === 'string') {
      if (ENCRYPTED.test(value) && isStale(value)) found.push({ path, text: value, owners });
    } else if (Array.isArray(value)) value.forEach((item, index) => look(item, `${path}.${index}`, owners));
    else if (isPlain(value))
      for (const [name, inner] of Object.entries(value))
        look(inner, path === '' ? name : `${path}.${name}`, [value, ...owners]);
  };
  look(document, '', []);
  return found;
}

/** Not one of the driver's own types, such as dates and bytes. */
const isPlain = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
