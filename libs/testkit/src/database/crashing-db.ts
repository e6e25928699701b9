import type { Collection, Db } from 'mongodb';

const writes = new Set([
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'findOneAndUpdate',
  'bulkWrite',
]);

const cursors = new Set(['find', 'aggregate', 'listIndexes']);

/** A process crashes before a write reaches the database, or after it, before the response. */
export type CrashMoment = 'before' | 'after';

/** The database of a process that crashes at one of its writes: later operations have no effect. */
export function crashingDb(db: Db, diesAt: number, death: CrashMoment): { db: Db; isDead(): boolean } {
  let count = 0;
  let dead = false;
  const die = () => {
    dead = true;
    return new Error('the process is dead');
  };
  const mortal = (collection: Collection): Collection =>
    new Proxy(collection, {
      get(target, name: keyof Collection) {
        const member = target[name] as unknown;
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          // Like the driver: only what returns a cursor throws, everything else rejects.
          if (dead && cursors.has(name)) throw die();
          if (dead) return Promise.reject(die());
          const call = () => Reflect.apply(member, target, args) as unknown;
          if (!writes.has(name)) return call();
          if (++count !== diesAt) return call();
          if (death === 'before') return Promise.reject(die());
          dead = true;
          return (call() as Promise<unknown>).then(() => Promise.reject(die()));
        };
      },
    });
  return {
    isDead: () => dead,
    db: new Proxy(db, {
      get(target, name: keyof Db) {
        if (name === 'collection') return (collection: string) => mortal(target.collection(collection));
        const member = target[name] as unknown;
        return typeof member === 'function' ? member.bind(target) : member;
      },
    }),
  };
}
