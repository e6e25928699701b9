import { listOf, weekdayName } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import type { CallFlowConfig, ExplainedEmployee, MenuOption, RouteExplanation } from '../api/schema.d.ts';

/** The slots by their headings on the page. */
const HEADINGS: readonly (readonly [string, string])[] = [
  ['outside_business_hours_config', '“Outside business hours”'],
  ['incoming_call_config', '“Incoming calls”'],
  ['no_answer_config', '“No answer”'],
];

function whyNot(reason: string | null): string {
  const reasons: Readonly<Record<string, string>> = {
    no_longer_an_employee: t('no longer an employee'),
    deactivated: t('is deactivated'),
    invitation_pending: t('has not accepted the invitation'),
    do_not_disturb: t('do not disturb is on'),
    logged_out: t('no phone is online'),
    on_call: t('in another call'),
    ringing: t('another call is ringing'),
  };
  return reasons[reason ?? ''] ?? t('state unknown');
}

/** The API's sentences, which are English; the values in them are by name. */
const REASONS = [
  'In {zone} it is {day} {time}; on {day} the number is open from {from} to {to}.',
  'In {zone} it is {day} {time}; on {day} the number is closed all day.',
  'The closure “{name}” applies on {from}: the number is closed all day.',
  'The closure “{name}” applies from {from} to {to}: the number is closed all day.',
  'There is a break from {from} to {to}.',
  'That is within business hours, so “Incoming calls” applies.',
  'That is outside business hours, so “Outside business hours” applies.',
  'That is outside business hours, but “Outside business hours” is not set, so “Incoming calls” applies.',
  'The number is not active: it takes no calls.',
  'If no employee answers within {count} seconds, “No answer” applies.',
  '“No answer” is set, but its timer is off: callers wait until an employee answers.',
  '“No answer” is not set: callers wait until an employee answers.',
  'The call is forwarded to {phone}, which rings for {count} seconds.',
  'If nobody there answers, “No answer” applies.',
  'If nobody there answers and presses 1, “No answer” applies.',
  'The assistant “{name}” answers, with the embedded engine.',
  'The assistant “{name}” answers, with the model of an endpoint.',
  'The assistant “{name}” is not active: calls go to its fallback at once.',
  'Its fallback: employees ring.',
  'Its fallback: the caller hears a welcome, then employees ring.',
  'Its fallback: the caller can leave a voicemail.',
  'Its fallback: the caller hears a message, then the call ends.',
  'Its fallback: the call is forwarded to {phone}, which rings for {count} seconds.',
] as const;

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The reasons in the language of the page, with the slots by their headings; a sentence that is not known stays English. */
export function reasonTexts({ reasons }: RouteExplanation): readonly string[] {
  return reasons.map((reason) =>
    translated(HEADINGS.reduce((text, [slot, heading]) => text.replaceAll(slot, heading), reason)),
  );
}

function translated(sentence: string): string {
  const ofKey = /^Key (\d): (.+)$/u.exec(sentence);
  if (ofKey) return t('Key {digit}: {what}', { digit: ofKey[1] ?? '', what: translated(ofKey[2] ?? '') });
  for (const known of REASONS) {
    const names = [...known.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const found = new RegExp(`^${known.replaceAll(/\{\w+\}/g, '(.+?)')}$`, 'u').exec(sentence);
    if (!found) continue;
    const values = Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? '']));
    const day = DAYS.indexOf(values['day'] ?? '');
    return t(known, day < 0 ? values : { ...values, day: weekdayName(day) });
  }
  return sentence;
}

/** Describes the flow from the caller's view, in sentences. */
export function flowTexts(flow: CallFlowConfig, employees: readonly ExplainedEmployee[]): readonly string[] {
  switch (flow.type) {
    case 'TransferConfig':
      return [ringText(employees)];
    case 'WelcomeTransferConfig':
      return [t('The caller hears “{text}”.', { text: flow.welcome }), ringText(employees)];
    case 'RejectConfig':
      return [t('The caller hears “{text}”, then the call ends.', { text: flow.message })];
    case 'VoicemailConfig':
      return [t('The caller hears “{text}” and can leave a voicemail.', { text: flow.greeting })];
    case 'ForwardConfig':
      return [forwardText(flow.phone_number)];
    case 'AssistantConfig':
      return assistantTexts(flow.assistant.name, flow.fallback, employees);
    case 'PhoneMenuConfig':
      return [
        t('The caller hears “{text}” and presses a key.', { text: flow.welcome }),
        ...flow.menu_options.map((option) => {
          const { digit } = option;
          const what = optionText(
            option,
            employees.filter((employee) => employee.digit === digit),
          );
          return t('Key {digit}: {what}', { digit, what });
        }),
      ];
  }
}

function assistantTexts(name: string, fallback: CallFlowConfig, employees: readonly ExplainedEmployee[]): string[] {
  const [first = '', ...rest] = flowTexts(fallback, employees);
  return [t('The assistant “{name}” answers.', { name }), `${t('If it cannot help:')} ${first}`, ...rest];
}

function forwardText(phone: string): string {
  return t('{phone} would ring, outside the company.', { phone });
}

function optionText(option: MenuOption, employees: readonly ExplainedEmployee[]): string {
  const { prompt, phone_number: phone = '', assistant, fallback } = option;
  const text = prompt ?? '';
  switch (option.action_type) {
    case 'TransferConfig':
      return ringText(employees);
    case 'ForwardConfig':
      return forwardText(phone);
    case 'WelcomeTransferConfig':
      return `${t('The caller hears “{text}”.', { text })} ${ringText(employees)}`;
    case 'VoicemailConfig':
      return t('The caller hears “{text}” and can leave a voicemail.', { text });
    case 'PlayMessageConfig':
      return t('The caller hears “{text}”, then the call ends.', { text });
    case 'AssistantConfig':
      return assistant && fallback ? assistantTexts(assistant.name, fallback, employees).join(' ') : '';
  }
}

function ringText(employees: readonly ExplainedEmployee[]): string {
  const ringing = employees.filter((employee) => employee.would_ring).map(({ name }) => name);
  const others = employees
    .filter((employee) => !employee.would_ring)
    .map(({ name, reason }) => `${name || t('Former employee')} (${whyNot(reason)})`);
  const rings =
    ringing.length > 0
      ? t('{names} would ring.', { names: listOf(ringing) })
      : t('Nobody would ring as things are: the caller waits.');
  return others.length > 0 ? `${rings} ${t('Not ringing: {names}.', { names: listOf(others) })}` : rings;
}
