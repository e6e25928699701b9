import { INJECTION } from './dashboard-browser.ts';

/** What the texts of a thread have in common. */
export interface ThreadOfTexts {
  readonly customer: string;
  readonly number: { readonly id: string; readonly number: string };
}

const common = ({ customer, number }: ThreadOfTexts) => ({
  created_at: new Date().toISOString(),
  business_number_id: number.id,
  business_number_name: 'Support',
  seen_at: null,
  direction: 'inbound',
  from: customer,
});

/** A text, some hours before the one with the next smaller number; long and short ones, some failed. */
export function textItem(thread: ThreadOfTexts, index: number): object {
  const at = new Date(Date.now() - (index + 2) * 5_000_000).toISOString();
  const isFailed = index % 5 === 1;
  return {
    ...common(thread),
    id: `msg_long_${index}`,
    type: 'message',
    format: 'sms',
    created_at: at,
    received_at: at,
    seen_at: at,
    delivered_at: null,
    direction: isFailed ? 'outbound' : 'inbound',
    to: thread.number.number,
    text: `Text ${index}. ${'Somebody has written more than a few words. '.repeat(Math.abs(index) % 7)}`,
    author: isFailed ? { type: 'employee', id: 'emp_1', name: 'Ada' } : { type: 'customer' },
    status: isFailed ? 'failed' : 'received',
    sms_count: 1,
    encoding: 'gsm7',
    failure_code: null,
    can_retry: isFailed,
    duration: null,
  };
}

export function callItem(thread: ThreadOfTexts): object {
  return {
    ...common(thread),
    id: 'call_1',
    type: 'call',
    to: thread.number.number,
    duration: 65,
    state: 'ended',
    missed: false,
    summary: INJECTION,
    employee: { id: 'emp_1', name: 'Ada' },
    has_transcription: false,
  };
}

export function itemsFromOutside(thread: ThreadOfTexts): object[] {
  return [
    {
      ...common(thread),
      id: 'vm_1',
      type: 'voicemail',
      duration: 7,
      transcription: INJECTION,
      recording_url: '/recordings/x.wav',
      listened: false,
      call_id: null,
    },
    {
      ...common(thread),
      id: 'vm_2',
      type: 'voicemail',
      duration: 7,
      transcription: 'Unsafe recording',
      recording_url: 'javascript:globalThis.injected=1',
      listened: false,
      call_id: null,
    },
    { ...common(thread), id: 'new_1', type: 'of the future' },
  ];
}

export function contextFromOutside(): object {
  const fields = [
    { label: 'Plan', value: `Plan ${INJECTION}` },
    { label: 'Record', value: 'Safe', url: 'https://crm.example/7' },
    { label: 'Other record', value: 'Unsafe', url: 'javascript:globalThis.injected=1' },
  ];
  const context = {
    provider: 'custom',
    label: `CRM ${INJECTION}`,
    source: 'crm.example',
    url: 'javascript:globalThis.injected=1',
    contact: null,
    sections: [{ type: 'fields', fields }],
  };
  return { contexts: [context], enriched_at: new Date().toISOString(), contact: null };
}
