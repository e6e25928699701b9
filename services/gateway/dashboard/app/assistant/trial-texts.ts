import type { AssistantTestTurn } from '../api/schema.d.ts';
import { t, tOf } from '../i18n/translate.ts';

type Action = AssistantTestTurn['actions'][number];

/** What the assistant would do in a call, in words. `nameOf`: of a person or team by its id. */
export function actionText({ action, arguments: given }: Action, nameOf: (id: string) => string | undefined): string {
  const text = (key: string) => (typeof given[key] === 'string' ? given[key] : '');
  const name = nameOf(text('target'));
  switch (action) {
    case 'transfer_call':
      return t('In a call, {name} would ring now.', { name: name ?? tOf('trial', 'somebody') });
    case 'take_message':
      return t('In a call, it would take the message “{text}”.', { text: text('text') });
    case 'request_callback':
      return t('In a call, it would arrange a call-back.');
    case 'send_text':
      return t('In a call, it would send a text.');
    case 'hand_over':
      return t('In a call, the caller would now go where it leads if it cannot help.');
    case 'end_call':
      return t('In a call, it would hang up now.');
    default:
      return action;
  }
}

/** Where an answer is from, but for entries of Knowledge, which have names. */
export function sourceText(type: string): string {
  const texts: Readonly<Record<string, string>> = {
    knowledge_entry: t('From Knowledge'),
    business_hours: t('From the business hours'),
    company: t('From the company’s details'),
    model: t('From the language model'),
  };
  return texts[type] ?? type;
}
