import { session } from '../session.ts';
import type { PhoneCall } from './phone-state.ts';

const KEY = `parley.call.${session.employeeId}`;

/** Remembers the call of this window, which a reload returns to. */
export function rememberCall(call: PhoneCall | null): void {
  if (call) sessionStorage.setItem(KEY, JSON.stringify(call));
  else sessionStorage.removeItem(KEY);
}

export function rememberedCall(): PhoneCall | undefined {
  const text = sessionStorage.getItem(KEY);
  return text === null ? undefined : (JSON.parse(text) as PhoneCall);
}
