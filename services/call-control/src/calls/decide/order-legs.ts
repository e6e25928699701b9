import type { CallDraft } from './call-draft.ts';

/** Phones per employee that ring at once. */
const PHONES_MAX = 4;

/** One leg for each phone the employee may have; unused ones are removed once the switch was queried. */
export function orderLegs(draft: CallDraft, employeeId: string): readonly string[] {
  return Array.from({ length: PHONES_MAX }, () => {
    const id = draft.newId();
    draft.addLeg({ id, employeeId });
    return id;
  });
}
