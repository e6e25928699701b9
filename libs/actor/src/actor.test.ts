import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Actor, actorFrom, currentActor, runAs } from './actor.ts';
import { auditOf, changedFields } from './audit-entry.ts';

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));

const actor = (id: string): Actor => ({ type: 'employee', id, name: id.toUpperCase() });

describe('the current actor', () => {
  it('the current actor is that of the work, also after it has waited, whatever else runs meanwhile', async () => {
    const work = async () => {
      const before = currentActor();
      await new Promise((resolve) => setImmediate(resolve));
      return [before, currentActor()];
    };
    const seen = await Promise.all(['a', 'b'].map((id) => runAs(actor(id), work)));
    expect(seen).toEqual([
      [actor('a'), actor('a')],
      [actor('b'), actor('b')],
    ]);
    expect(currentActor()).toBeUndefined();
  });
});

describe('an actor of another process', () => {
  it.each([
    [null, undefined],
    ['employee', undefined],
    [{ type: 'root', id: 'x' }, undefined],
    [{ type: 'system' }, { type: 'system', id: '', name: '' }],
    [
      {
        type: 'app',
        id: 'emp_1',
        name: 'Ada',
        credential: { type: 'oauth_token', id: 'g', name: 'CRM' },
        address: '::1',
      },
      {
        type: 'app',
        id: 'emp_1',
        name: 'Ada',
        credential: { type: 'oauth_token', id: 'g', name: 'CRM' },
        address: '::1',
      },
    ],
    [
      { type: 'employee', id: {}, name: 'x'.repeat(10_000) },
      { type: 'employee', id: '', name: 'x'.repeat(500) },
    ],
  ])('the actor %j of another process is read as %j', (value, expected) => expect(actorFrom(value)).toEqual(expected));
});

describe('changed fields', () => {
  it('changed fields are those that differ, with values, and hidden ones without', () => {
    const before = { name: 'A', hours: [1], prompt: 'Welcome', note: '' };
    const after = { name: 'B', hours: [1], prompt: 'Hello', note: 'x', added: true };
    expect(changedFields<Record<string, unknown>>(before, after, { hidden: ['prompt', 'note'] })).toEqual({
      name: { from: 'A', to: 'B' },
      prompt: { from: '(set)', to: '(set)' },
      note: { from: null, to: '(set)' },
      added: { from: null, to: true },
    });
  });

  it('changed fields have the names of the API inside of values too', () => {
    const hours = [{ dayOfWeek: 0, breaks: [], since: new Date(0) }];
    expect(changedFields<Record<string, unknown>>({}, { hours }).hours?.to).toEqual([
      { day_of_week: 0, breaks: [], since: new Date(0) },
    ]);
  });

  it('changed fields belong to the event that carries an entry', () => {
    const audit = { type: 'company.updated', object: { type: 'company', id: 'com_1', name: 'A' }, changes: {} };
    expect([auditOf({ type: 'x', audit }), auditOf({ type: 'x' }), auditOf('updated')]).toEqual([
      audit,
      undefined,
      undefined,
    ]);
  });
});
