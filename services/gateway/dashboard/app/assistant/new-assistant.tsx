import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { api, ok } from '../api/client.ts';
import { companyQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { Fields, Form, textIn } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { cacheAssistant } from './assistant-queries.ts';

/** In the language of a new assistant. */
const greetingOf = (companyName: string) => `This is ${companyName}. How can I help you?`;

/** Name and greeting; the page of the assistant has the rest, with which it can answer at once. */
export default function NewAssistant(): ReactNode {
  const company = useQuery(companyQuery);
  return (
    <Page title={t('New assistant')} back={{ href: '~/dashboard/assistant', label: t('Assistant') }} width="text">
      <section aria-label={t('New assistant')}>
        <QueryState query={company}>{({ name }) => <NewAssistantForm companyName={name} />}</QueryState>
      </section>
    </Page>
  );
}

function NewAssistantForm({ companyName }: { companyName: string }): ReactNode {
  const [, navigate] = useLocation();
  const sending = useSubmit(
    (body: { name: string; greeting: string }) => ok(api.POST('/api/v1/assistants', { body })),
    (assistant) => {
      cacheAssistant(assistant);
      announce(t('{name} was created', { name: assistant.name }));
      navigate(`/${assistant.id}`);
    },
    { storeEditsAs: 'new assistant' },
  );
  function cancel(): void {
    sending.unsaved.discard();
    navigate('~/dashboard/assistant');
  }
  return (
    <Form
      sending={sending}
      onSubmit={(typed) => sending.submit({ name: textIn(typed, 'name'), greeting: textIn(typed, 'greeting') })}
      submitLabel={t('Create assistant')}
      moreActions={<Button onPress={cancel}>{t('Cancel')}</Button>}
    >
      <Fields>
        <TextField
          label={t('Name')}
          name="name"
          maxLength={40}
          autoFocus
          hint={t('How it introduces itself, for example “Robin”.')}
          errors={sending.errorsOf('name')}
        />
        <TextArea
          label={t('Greeting')}
          name="greeting"
          maxLength={500}
          defaultValue={greetingOf(companyName)}
          hint={t('Said in English, after the words that callers speak with an automated assistant.')}
          errors={sending.errorsOf('greeting')}
        />
      </Fields>
    </Form>
  );
}
