import { z } from 'zod';

/** The provider's "blocked due to STOP message", for a `reject` that names no code. */
const REJECT_CODE_DEFAULT = '40300';

/** The faults that are set. */
export interface Faults {
  readonly smsSubmit: 'ok' | 'reject' | 'timeout' | 'lost' | 'error';
  /** The provider's error code while `smsSubmit` is `reject`, else null. */
  readonly smsRejectCode: string | null;
  /** `killed`: the switch process has ended with all its calls, until it is `up` again. */
  readonly switch: 'up' | 'down' | 'killed';
  readonly speech: 'ok' | 'fail' | 'slow';
  readonly integrations: 'ok' | 'fail' | 'slow';
}

const nothingBroken: Faults = {
  smsSubmit: 'ok',
  smsRejectCode: null,
  switch: 'up',
  speech: 'ok',
  integrations: 'ok',
};

/** The body of `PUT /faults`: what is left out stays as it is. */
export const faultsInput = z.object({
  sms_submit: z.enum(['ok', 'reject', 'timeout', 'lost', 'error']).optional(),
  /** Goes with `sms_submit: reject`; the provider's codes are digits in a string. */
  code: z.union([z.string().min(1).max(40), z.int().transform(String)]).optional(),
  switch: z.enum(['up', 'down', 'killed']).optional(),
  speech: z.enum(['ok', 'fail', 'slow']).optional(),
  integrations: z.enum(['ok', 'fail', 'slow']).optional(),
});

/** The faults after a change. */
function changeFaults(current: Faults, change: z.infer<typeof faultsInput>): Faults {
  const smsSubmit = change.sms_submit ?? current.smsSubmit;
  const rejectCode = change.code ?? current.smsRejectCode ?? REJECT_CODE_DEFAULT;
  return {
    smsSubmit,
    smsRejectCode: smsSubmit === 'reject' ? rejectCode : null,
    switch: change.switch ?? current.switch,
    speech: change.speech ?? current.speech,
    integrations: change.integrations ?? current.integrations,
  };
}

export type FaultSwitches = ReturnType<typeof createFaultSwitches>;

export function createFaultSwitches() {
  let faults = nothingBroken;
  const listeners: ((faults: Faults) => Promise<void>)[] = [];
  let applying: Promise<unknown> = Promise.resolve();
  function set(next: Faults): Faults {
    faults = next;
    applying = Promise.all(listeners.map((listener) => listener(next)));
    return next;
  }
  return {
    current: () => faults,
    /** Called with every change. */
    onChange: (listener: (faults: Faults) => Promise<void>) => void listeners.push(listener),
    /** Waits until every listener has dealt with the last change. */
    applied: async () => void (await applying),
    change: (change: z.infer<typeof faultsInput>) => set(changeFaults(faults, change)),
    reset: () => void set(nothingBroken),
  };
}
