import { expect, it } from '@jest/globals';
import { belongsTo, choiceOf, THREAD_CHOICES } from './thread-choice.ts';

const ada = { id: 'emp_ada', name: 'Ada' };
const bo = { id: 'emp_bo', name: 'Bo' };

it.each([
  [{ state: 'open', assignee: null } as const, ['all', 'open']],
  [{ state: 'open', assignee: ada } as const, ['all', 'mine', 'open']],
  [{ state: 'open', assignee: bo } as const, ['all', 'open']],
  [{ state: 'done', assignee: ada } as const, ['all', 'done']],
])('a thread that is %j is among %j', (thread, choices) => {
  expect(THREAD_CHOICES.filter((choice) => belongsTo(choice, thread, ada.id))).toEqual(choices);
});

it('an address with anything else shows all threads', () => {
  expect(['', 'done', 'Done', 'x'].map(choiceOf)).toEqual(['all', 'done', 'all', 'all']);
});
