import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { encryptor } from '@parley/secrets';
import { ada, inConversation } from '../../test/test-call.ts';
import { changedNotes, changeNotes } from './call-notes.ts';
import { noteStorage } from './stored-notes.ts';

const none = { note: null, tags: [] };
const some = { note: 'Wants a refund', tags: ['VIP', 'refund'] };
const newKey = () => randomBytes(32).toString('base64');
const storageWith = (...keys: string[]) => noteStorage(encryptor(keys), keys);
const now = new Date('2026-03-02T10:00:00Z');

describe('notes of a call', () => {
  it.each([
    [none, { note: '  Call back  ' }, { note: 'Call back', tags: [] }],
    [some, { note: '' }, { ...some, note: null }],
    [some, { note: '   ' }, { ...some, note: null }],
    [some, {}, some],
    [some, { tags: [] }, { ...some, tags: [] }],
    [none, { tags: [' a  b ', 'A B', 'c'] }, { note: null, tags: ['a b', 'c'] }],
    [none, { tags: Array.from({ length: 30 }, () => 'same') }, { note: null, tags: ['same'] }],
  ])('the notes %j of a call changed by %j are %j', (current, change, expected) => {
    expect(changedNotes(current, change)).toEqual(expected);
  });

  it.each([
    [{ note: 'x'.repeat(10_001) }, 'note'],
    [{ tags: ['x'.repeat(41)] }, 'tags'],
    [{ tags: ['a', ' '] }, 'tags'],
    [{ tags: Array.from({ length: 11 }, (_, n) => `tag ${n}`) }, 'tags'],
  ])('notes of a call are refused where they are too long, too many or blank', (change, field) => {
    expect(changedNotes(none, change)).toMatchObject({
      code: 'validation_failed',
      fields: { [field]: expect.anything() },
    });
  });

  it('notes of a call are stored so that they cannot be read, and are an event once', () => {
    const storage = storageWith(newKey());
    const { call } = inConversation();
    const decision = changeNotes(call, { ...some, actorId: ada.id }, storage, now);
    if (!decision.ok) throw new Error(decision.refusal.code);
    const { state, events } = decision;
    expect(JSON.stringify(state)).not.toMatch(/refund|vip/i);
    expect(storage.open(state)).toEqual(some);
    expect(state.tagListKeys).toHaveLength(2 * call.listKeys.length);
    expect(events.map(({ type }) => type)).toEqual(['call-control.call.note_changed']);
    expect(state.timeline.at(-1)).toMatchObject({ type: 'note', what: 'note_changed', employeeId: ada.id });
    const again = changeNotes(state, { ...some, actorId: ada.id }, storage, now);
    expect(again).toMatchObject({ ok: true, events: [], state });
    const removed = changeNotes(state, { note: '', tags: [], actorId: ada.id }, storage, now);
    expect(removed).toMatchObject({ ok: true, state: { sealedNotes: null, tagListKeys: [] } });
  });

  it('notes of a call are found by a tag in any case, after a change of keys as well, and only in their company', () => {
    const [older, newer] = [newKey(), newKey()];
    const stored = storageWith(older).tagKey('com_1', 'Große  Kunden');
    expect(storageWith(newer, older).soughtTagKeys('com_1', 'GROSSE KUNDEN')).toContain(stored);
    expect(storageWith(newer, older).soughtTagKeys('com_2', 'große kunden')).not.toContain(stored);
  });

  it('notes of another call cannot be put into a call', () => {
    const storage = storageWith(newKey());
    const sealedNotes = storage.seal('cal_1', some);
    expect(() => storage.open({ id: 'cal_2', sealedNotes })).toThrow();
  });
});
