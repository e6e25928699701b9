import type { CallFlowConfig, ExplainedEmployee, RouteExplanation } from '../api/schema.d.ts';

/** The slots by their headings on the page. */
const HEADINGS: readonly (readonly [string, string])[] = [
  ['outside_business_hours_config', '“Outside business hours”'],
  ['incoming_call_config', '“Incoming calls”'],
  ['no_answer_config', '“No answer”'],
];

const NOT_RINGING: Readonly<Record<string, string>> = {
  no_longer_an_employee: 'no longer an employee',
  invitation_pending: 'has not accepted the invitation',
  do_not_disturb: 'do not disturb is on',
  logged_out: 'no phone is online',
  on_call: 'in another call',
  ringing: 'another call is ringing',
  unknown: 'state unknown',
};

export function reasonTexts({ reasons }: RouteExplanation): readonly string[] {
  return reasons.map((reason) => HEADINGS.reduce((text, [slot, heading]) => text.replaceAll(slot, heading), reason));
}

/** What the caller experiences, in sentences. */
export function flowTexts(flow: CallFlowConfig, employees: readonly ExplainedEmployee[]): readonly string[] {
  switch (flow.type) {
    case 'TransferConfig':
      return [ringText(employees)];
    case 'WelcomeTransferConfig':
      return [`The caller hears “${flow.welcome}”.`, ringText(employees)];
    case 'RejectConfig':
      return [`The caller hears “${flow.message}”, then the call ends.`];
    case 'VoicemailConfig':
      return [`The caller hears “${flow.greeting}” and can leave a voicemail.`];
    case 'PhoneMenuConfig':
      return [
        `The caller hears “${flow.welcome}” and presses a key.`,
        ...flow.menu_options.map(({ digit, action_type: action, prompt }) => {
          const ring = ringText(employees.filter((employee) => employee.digit === digit));
          return `Key ${digit}: ${optionText(action, prompt ?? '', ring)}`;
        }),
      ];
  }
}

function optionText(action: string, prompt: string, ring: string): string {
  if (action === 'TransferConfig') return ring;
  if (action === 'WelcomeTransferConfig') return `The caller hears “${prompt}”. ${ring}`;
  if (action === 'VoicemailConfig') return `The caller hears “${prompt}” and can leave a voicemail.`;
  return `The caller hears “${prompt}”, then the call ends.`;
}

function ringText(employees: readonly ExplainedEmployee[]): string {
  const ringing = employees.filter((employee) => employee.would_ring).map(({ name }) => name);
  const others = employees
    .filter((employee) => !employee.would_ring)
    .map(({ name, id, reason }) => `${name || id} (${NOT_RINGING[reason ?? ''] ?? reason ?? 'state unknown'})`);
  const rings =
    ringing.length > 0 ? `${listed(ringing)} would ring.` : 'Nobody would ring as things are: the caller waits.';
  return others.length > 0 ? `${rings} Not ringing: ${listed(others)}.` : rings;
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names);
}
