import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { OwnApiKey } from '../../api/account-schema.d.ts';
import { account, at, ok } from '../../api/client.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Copy, KeyRound } from '../../ui/icons/index.ts';
import { Section } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { SettingsPage } from '../settings-page.tsx';
import { AccountItem, LastUsed } from './account-list.tsx';
import { accountChanged, apiKeysQuery } from './account-queries.ts';
import styles from './account.module.css';

/** One's own API keys. A new one is shown until the page is left. */
export function ApiKeys(): ReactNode {
  const keys = useQuery(apiKeysQuery);
  const [newKey, setNewKey] = useState<string>();
  return (
    <SettingsPage title={t('API keys')} path="/api-keys">
      {newKey !== undefined && <NewKey key={newKey} apiKey={newKey} />}
      <Section title={t('New key')} description={t('For programs that use the API on your behalf.')}>
        <CreateKey onCreated={setNewKey} />
      </Section>
      <Section title={t('Your keys')}>
        <QueryState query={keys} empty={<p className={styles['details']}>{t('You have no keys yet.')}</p>}>
          {(list) => (
            <ul>
              {list.map((key) => (
                <KeyItem key={key.id} apiKey={key} onRotated={setNewKey} />
              ))}
            </ul>
          )}
        </QueryState>
      </Section>
    </SettingsPage>
  );
}

function NewKey({ apiKey }: { apiKey: string }): ReactNode {
  const secret = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A dialog that closes has made the page behind it inert until now, and returns the focus to its button.
    const frame = requestAnimationFrame(() => secret.current?.querySelector('textarea')?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div ref={secret} role="status" className={styles['secret']}>
      <TextArea
        label={t('New API key')}
        hint={t('Copy it now: it is not shown again.')}
        readOnly
        rows={2}
        spellCheck={false}
        value={apiKey}
        onFocus={(event) => event.target.select()}
      />
      <Button icon={Copy} onPress={() => copyText(apiKey)}>
        {t('Copy')}
      </Button>
    </div>
  );
}

function CreateKey({ onCreated }: { onCreated: (apiKey: string) => void }): ReactNode {
  const [name, setName] = useState('');
  const sending = useSubmit(
    (body: { name: string }) => ok(account.POST('/account/api_keys', { body })),
    ({ api_key: apiKey }) => {
      setName('');
      onCreated(apiKey);
      return accountChanged();
    },
  );
  return (
    <Form sending={sending} onSubmit={() => sending.submit({ name })} submitLabel={t('Create key')}>
      <TextField
        label={t('Name')}
        maxLength={128}
        value={name}
        onChange={(event) => setName(event.target.value)}
        errors={sending.errorsOf('name')}
        hint={t('What will use it, for example “Webshop”.')}
      />
    </Form>
  );
}

function KeyItem(props: { apiKey: OwnApiKey; onRotated: (apiKey: string) => void }): ReactNode {
  const { id, name, created_at: created, last_used_at: used, old_key_valid_until: oldUntil } = props.apiKey;
  const [isRotating, setIsRotating] = useState(false);
  return (
    <AccountItem
      icon={KeyRound}
      name={<bdi>{name}</bdi>}
      details={
        <>
          {t('Created')} {created && <Time at={created} withTime />} · <LastUsed at={used} />
          {oldUntil && (
            <>
              {' '}
              · {t('the old key works until')} <Time at={oldUntil} withTime />
            </>
          )}
        </>
      }
      revoke={async () => {
        await ok(account.DELETE('/account/api_keys/{id}', at(id)));
        await accountChanged();
      }}
    >
      {(nameId) => (
        <>
          <Button size="s" aria-describedby={nameId} aria-haspopup="dialog" onPress={() => setIsRotating(true)}>
            {t('Rotate')}
          </Button>
          {isRotating && (
            <RotateDialog apiKey={props.apiKey} onRotated={props.onRotated} onClose={() => setIsRotating(false)} />
          )}
        </>
      )}
    </AccountItem>
  );
}

const HOURS_MAX = 24;

/** A new secret for the same key; the old one works for some time, so that programs can be changed. */
function RotateDialog(props: {
  apiKey: OwnApiKey;
  onRotated: (apiKey: string) => void;
  onClose: () => void;
}): ReactNode {
  const { id, name } = props.apiKey;
  const sending = useSubmit(
    (hours: number) =>
      ok(
        account.POST('/account/api_keys/{id}/rotation', {
          params: { path: { id } },
          body: { old_key_valid_hours: hours },
        }),
      ),
    ({ api_key: apiKey }) => {
      props.onClose();
      props.onRotated(apiKey);
      return accountChanged();
    },
  );
  return (
    <FormDialog
      title={t('Rotate {name}', { name })}
      onClose={props.onClose}
      sending={sending}
      onSubmit={(typed) => sending.submit(Number(typed.get('hours') || Number.NaN))}
      submitLabel={t('Rotate')}
    >
      <p className={styles['text']}>
        {t('You get a new key. The old one works for some time, so that you can change the program that uses it.')}
      </p>
      <TextField
        label={t('Old key stays valid, hours')}
        name="hours"
        type="number"
        min={0}
        max={HOURS_MAX}
        defaultValue="1"
        hint={t('At most 24. With 0 it stops working at once.')}
        errors={sending.errorsOf('old_key_valid_hours') && [t('The old key can stay valid for 0 to 24 hours.')]}
      />
    </FormDialog>
  );
}
