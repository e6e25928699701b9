import { type Migration, setMissing } from '@parley/mongo';
import type { Db, Document, UpdateFilter } from 'mongodb';
import { companySearchTerms } from './companies/company.ts';
import { searchTermsOf } from './contacts/contact.ts';

interface Stored extends Document {
  readonly _id: string;
}

export const migrations: readonly Migration[] = [
  {
    name: '0.3.0',
    async run(db) {
      await makeOwners(db);
      await setMissing(db, 'companies', { supervisionEnabled: false, suspended: false, isBeingDeleted: false });
      await setMissing(db, 'employees', {
        role: 'admin',
        emailKeys: ['$emailKey'],
        emailChange: 0,
        ownerSequence: 0,
        callWaiting: false,
        forwardTo: null,
        revision: 0,
      });
      await setMissing(db, 'contacts', { revision: 0 });
      await changeEach(db, 'companies', 'createdOrder', async (company) => ({
        createdOrder: await firstHired(db, company._id),
        searchTerms: companySearchTerms(company['name']),
      }));
      await changeEach(db, 'contacts', 'searchTerms', async ({ phone, name, companyName, email }) => ({
        searchTerms: searchTermsOf({ phone, name, companyName, email }),
      }));
    },
  },
];

/** The first employee of a company is its owner; the others are admins. */
async function makeOwners(db: Db): Promise<void> {
  const employees = db.collection<Stored>('employees');
  const companyIds = await employees.distinct('companyId', { role: { $exists: false }, _deleted: false });
  for (const companyId of companyIds) {
    if (await employees.findOne({ companyId, role: 'owner', _deleted: false })) continue;
    const change = { $set: { role: 'owner' }, $inc: { _version: 1 } } as UpdateFilter<Stored>;
    await employees.findOneAndUpdate({ companyId, _deleted: false }, change, { sort: { createdAt: 1, _id: 1 } });
  }
}

async function changeEach(
  db: Db,
  collection: string,
  missing: string,
  fieldsOf: (stored: Stored) => Promise<Document>,
): Promise<void> {
  const documents = db.collection<Stored>(collection);
  for await (const stored of documents.find({ [missing]: { $exists: false }, _deleted: false })) {
    const change = { $set: await fieldsOf(stored), $inc: { _version: 1 } } as UpdateFilter<Stored>;
    await documents.updateOne({ _id: stored._id, _version: stored['_version'] }, change);
  }
}

/** In microseconds, the unit of `createdOrder`: a company is as old as its first employee. */
async function firstHired(db: Db, companyId: string): Promise<number> {
  const first = await db.collection<Stored>('employees').findOne({ companyId }, { sort: { createdAt: 1 } });
  return first ? (first['createdAt'] as Date).getTime() * 1000 : 0;
}
