import type { CallFlow } from './call-flow.ts';

/** Gives new menu options the next ids; an option whose key was in the slot's menu before keeps its id. */
export function withMenuOptionIds(
  flow: CallFlow,
  previous: CallFlow | null,
  nextId: number,
): { flow: CallFlow; nextId: number } {
  if (flow.type !== 'PhoneMenuConfig') return { flow, nextId };
  const known = new Map(
    previous?.type === 'PhoneMenuConfig' ? previous.menuOptions.map(({ digit, id }) => [digit, id]) : [],
  );
  let next = nextId;
  const menuOptions = flow.menuOptions.map((option) => ({ ...option, id: known.get(option.digit) ?? next++ }));
  return { flow: { ...flow, menuOptions }, nextId: next };
}
