import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { AssistantEndpoint } from '../../api/schema.d.ts';
import { t, tOf } from '../../i18n/translate.ts';
import { announce } from '../../ui/announcements.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Fields, Form, textIn } from '../../ui/form.tsx';
import { Trash2, Zap } from '../../ui/icons/index.ts';
import { Section } from '../../ui/page.tsx';
import { Failure, QueryState } from '../../ui/query-state.tsx';
import text from '../../ui/text.module.css';
import { useSubmit } from '../../ui/use-submit.ts';
import { SettingsPage } from '../settings-page.tsx';
import { modelBody, modelValues } from './model-form.ts';
import styles from './model.module.css';
import { consequenceText, errorText, spendText, stateText, testText } from './model-texts.ts';

/** The language model with which assistants answer; never its key. */
export default function ModelSettings(): ReactNode {
  const model = useQuery({
    queryKey: queryKeys.assistantModel,
    queryFn: ({ signal }) => ok(api.GET('/api/v1/assistant_endpoint', { signal })),
  });
  return (
    <SettingsPage title={t('Model')} path="/settings/model">
      <QueryState query={model}>
        {(data) => (
          <>
            <StateSection endpoint={data} />
            <Section
              title={t('Settings')}
              description={t(
                'Any address that is compatible with OpenAI’s chat completions. What callers say to an assistant is sent there, together with what it needs to answer.',
              )}
            >
              <ModelForm endpoint={data} />
            </Section>
          </>
        )}
      </QueryState>
    </SettingsPage>
  );
}

function modelChanged(endpoint: AssistantEndpoint): void {
  queryClient.setQueryData(queryKeys.assistantModel, endpoint);
  void queryClient.invalidateQueries({ queryKey: queryKeys.assistantOptions });
}

function StateSection({ endpoint }: { endpoint: AssistantEndpoint }): ReactNode {
  const { url, state, last_error: lastError } = endpoint;
  const [tone, words] = stateText(state);
  const consequence = consequenceText(state);
  const test = useMutation({
    mutationFn: () => ok(api.POST('/api/v1/assistant_endpoint/test')),
    // It may have changed the state, and has cost tokens.
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.assistantModel }),
  });
  return (
    <Section title={tOf('model', 'State')}>
      <div className={styles['state']}>
        <p>
          <Badge tone={tone}>{words}</Badge>
        </p>
        {lastError !== null && (
          <p>
            {t('Last error')}: {errorText(lastError)}
          </p>
        )}
        {consequence !== undefined && <p className={text['meta']}>{consequence}</p>}
        {url !== null && (
          <>
            <dl className={styles['spend']}>
              <dt>{t('Spend this month')}</dt>
              <dd>{spendText(endpoint)}</dd>
            </dl>
            <div className={styles['test']}>
              <Button icon={Zap} busy={test.isPending} onPress={() => test.mutate()}>
                {t('Test connection')}
              </Button>
              <span role="status" className={test.data && !test.data.ok ? styles['failed'] : undefined}>
                {test.data && testText(test.data)}
              </span>
            </div>
            {test.error && <Failure error={test.error} />}
          </>
        )}
      </div>
    </Section>
  );
}

function ModelForm({ endpoint }: { endpoint: AssistantEndpoint }): ReactNode {
  const [initial] = useState(() => modelValues(endpoint));
  // Without a name it is not kept in the window with the other edits.
  const [key, setKey] = useState('');
  const [removesKey, setRemovesKey] = useState(false);
  const sending = useSubmit(
    (body: ReturnType<typeof modelBody>) => ok(api.PUT('/api/v1/assistant_endpoint', { body })),
    (saved) => {
      setKey('');
      setRemovesKey(false);
      modelChanged(saved);
      announce(t('Saved.'));
    },
    { storeEditsAs: 'model', shownAs: modelValues },
  );
  const { errorsOf } = sending;
  const field = (name: keyof typeof initial) => ({ name, defaultValue: initial[name] });
  return (
    <Form
      sending={sending}
      onSubmit={(typed) => sending.submit(modelBody((name) => textIn(typed, name), removesKey ? null : key.trim()))}
      submitLabel={t('Save')}
      moreActions={endpoint.url !== null && <RemoveModel />}
    >
      <Fields>
        <TextField
          label={t('Address')}
          inputMode="url"
          placeholder="https://api.example.com/v1"
          maxLength={2000}
          {...field('url')}
          errors={errorsOf('url')}
        />
        <TextField label={t('Model')} maxLength={200} {...field('model')} errors={errorsOf('model')} />
        <TextField
          label={tOf('model', 'Key')}
          type="password"
          autoComplete="new-password"
          maxLength={1024}
          hint={endpoint.api_key_set ? t('One is stored. Leave this empty to keep it.') : t('It is never shown again.')}
          disabled={removesKey}
          value={key}
          onChange={({ target }) => setKey(target.value)}
          errors={errorsOf('api_key')}
        />
        {endpoint.api_key_set && (
          <Checkbox label={t('Remove the stored one')} checked={removesKey} onChange={setRemovesKey} />
        )}
        <Fields areShort>
          <TextField
            label={t('Price of a million tokens in')}
            inputMode="decimal"
            {...field('input_price')}
            errors={errorsOf('prices.input_per_million')}
          />
          <TextField
            label={t('Price of a million tokens out')}
            inputMode="decimal"
            {...field('output_price')}
            errors={errorsOf('prices.output_per_million')}
          />
          <TextField label={t('Currency')} maxLength={3} {...field('currency')} errors={errorsOf('prices.currency')} />
          <TextField
            label={t('Monthly limit')}
            inputMode="decimal"
            hint={t('Needs prices. At 80 % admins get an e-mail; at the limit assistants go on without the model.')}
            {...field('monthly_spend_limit')}
            errors={errorsOf('monthly_spend_limit')}
          />
        </Fields>
      </Fields>
    </Form>
  );
}

function RemoveModel(): ReactNode {
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => ok(api.DELETE('/api/v1/assistant_endpoint')),
    onSuccess: async () => {
      setIsAsking(false);
      announce(t('The model was removed.'));
      void queryClient.invalidateQueries({ queryKey: queryKeys.assistantOptions });
      await queryClient.invalidateQueries({ queryKey: queryKeys.assistantModel });
    },
  });
  return (
    <>
      <Button variant="ghost" icon={Trash2} onPress={() => setIsAsking(true)}>
        {t('Remove')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('Remove the model?')}
          confirm={t('Remove model')}
          action={remove}
          onClose={() => setIsAsking(false)}
        >
          <p>{t('Address and key are forgotten. Assistants go on with what is written in Knowledge.')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
