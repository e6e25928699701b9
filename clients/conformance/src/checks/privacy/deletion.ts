import { eventually } from '../../expectations/eventually.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('privacy');
/** The kit deletes its companies: that they can be deleted is what the document says. */
const DELETES = { source: 'partner-kit.md: Conformance kit: `@parley/conformance`', profile: 'full' } as const;

/** It is removed in the background, service by service. */
const DELETED_WITHIN = { withinMs: 90_000 };

export const deletionChecks: readonly Check[] = [
  must(
    60,
    'A company that the operator deletes is gone, and others are not.',
    DELETES,
    async ({ companies, operator }) => {
      const [company, another] = [await companies.fresh(), await companies.another()];
      const employee = await company.hire();
      await company.post('/contacts', { phone: freshPhone() }).gives(201);
      await operator.delete(`/companies/${company.id}`).gives(202);
      await eventually(
        'the keys of the company are refused',
        async () => {
          for (const client of [company, employee]) await client.get('/company').isRefused(401);
        },
        { withinMs: 1000 },
      );
      await eventually(
        'the operator does not know the company any more',
        () => operator.patch(`/companies/${company.id}`, { name: 'Conformance' }).isNotFound(),
        DELETED_WITHIN,
      );
      await another.get('/company').gives(200, { id: another.id });
    },
  ),
];
