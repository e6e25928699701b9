import { describe, expect, it } from '@jest/globals';
import { affectedTests } from './changed-tests.ts';

const tests = [
  'libs/queues/src/batch.test.ts',
  'libs/http/src/app.test.ts',
  'services/webhooks/test/deliveries.service.test.ts',
  'services/gateway/dashboard/src/tokens.test.ts',
  'e2e/dashboard/inbox.test.ts',
  'e2e/webhooks/deliveries.test.ts',
  'e2e/contacts/contacts.test.ts',
];
const affected = (changed: string[], related: string[] = []) => affectedTests(changed, { tests, related });

describe('tests that a change affects', () => {
  it('tests that a change affects are those that import it, those of its package, and those of the stack that runs it', () => {
    expect(affected(['libs/queues/src/batch.ts'], ['services/webhooks/test/deliveries.service.test.ts'])).toEqual([
      'libs/queues/src/batch.test.ts',
      'services/webhooks/test/deliveries.service.test.ts',
      'e2e/dashboard/inbox.test.ts',
      'e2e/webhooks/deliveries.test.ts',
      'e2e/contacts/contacts.test.ts',
    ]);
  });

  it('tests that a change affects are those in a browser when only the dashboard has changed', () => {
    expect(affected(['services/gateway/dashboard/app/inbox/composer.tsx'])).toEqual([
      'services/gateway/dashboard/src/tokens.test.ts',
      'e2e/dashboard/inbox.test.ts',
    ]);
  });

  it('tests that a change affects are no end-to-end tests when a test has changed', () => {
    expect(affected(['services/webhooks/test/deliveries.service.test.ts'])).toEqual([
      'services/webhooks/test/deliveries.service.test.ts',
    ]);
    expect(affected(['e2e/webhooks/hooks.ts'])).toEqual(['e2e/webhooks/deliveries.test.ts']);
  });

  it('tests that a change affects are none when a document has changed', () => {
    expect(affected(['docs/events.md', 'README.md'])).toEqual([]);
  });

  it('tests that a change affects are all when a dependency has changed', () => {
    expect(affected(['pnpm-lock.yaml'])).toEqual(tests);
  });
});
