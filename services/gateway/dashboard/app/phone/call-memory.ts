import { session } from '../session.ts';
import type { PhoneCall } from './phone-state.ts';

/** The conversations of this window, which a reload returns to. */
export type RememberedCall = 'call' | 'held';

const keyOf = (which: RememberedCall): string => `parley.${which}.${session.employeeId}`;

export function rememberCall(which: RememberedCall, call: PhoneCall | null): void {
  if (call) sessionStorage.setItem(keyOf(which), JSON.stringify(call));
  else sessionStorage.removeItem(keyOf(which));
}

export function rememberedCall(which: RememberedCall): PhoneCall | undefined {
  const text = sessionStorage.getItem(keyOf(which));
  return text === null ? undefined : (JSON.parse(text) as PhoneCall);
}
