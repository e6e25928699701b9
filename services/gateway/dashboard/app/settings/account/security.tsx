import { useQuery } from '@tanstack/react-query';
import encodeQr from 'qr';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import type { Security } from '../../api/account-schema.d.ts';
import { account, ok } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { t, tn } from '../../i18n/translate.ts';
import { announce } from '../../ui/announcements.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { Copy } from '../../ui/icons/index.ts';
import { Section } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { SettingsPage } from '../settings-page.tsx';
import { accountChanged, securityQuery } from './account-queries.ts';
import styles from './account.module.css';
import { OwnNewAddress } from './new-address.tsx';
import { qrPath } from './qr-path.ts';

export function SecurityPage(): ReactNode {
  const security = useQuery(securityQuery);
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />;
  return (
    <SettingsPage title={t('Security')} path="/security">
      <QueryState query={security}>
        {({ two_factor: twoFactor, has_new_address: hasNewAddress }) => (
          <>
            {hasNewAddress && <OwnNewAddress />}
            {twoFactor.enabled ? (
              <SecondFactor twoFactor={twoFactor} />
            ) : (
              <Enrolment isRequired={twoFactor.required} onConfirmed={setCodes} />
            )}
          </>
        )}
      </QueryState>
    </SettingsPage>
  );
}

function SecondFactor({ twoFactor }: { twoFactor: Security['two_factor'] }): ReactNode {
  return (
    <Section
      title={t('Second factor')}
      description={tn(
        twoFactor.recovery_codes_left,
        'Your second factor is on. You have {count} recovery code left.',
        'Your second factor is on. You have {count} recovery codes left.',
      )}
    >
      {twoFactor.required ? (
        <p className={styles['details']}>{t('Your company requires it.')}</p>
      ) : (
        <CodeForm
          action={t('Switch off')}
          isDestructive
          send={(code) => ok(account.POST('/account/two_factor/removal', { body: { code } }))}
          onAccepted={() => {
            announce(t('Your second factor is off.'));
            return accountChanged();
          }}
        />
      )}
    </Section>
  );
}

/** A new secret, which stays the same while the page is shown: a phone may have read it already. */
function Enrolment(props: { isRequired: boolean; onConfirmed: (codes: readonly string[]) => void }): ReactNode {
  const enrolment = useQuery({
    queryKey: [...queryKeys.account, 'enrolment'],
    queryFn: () => ok(account.POST('/account/two_factor/enrolment', {})),
    gcTime: 0,
    staleTime: 'static',
  });
  return (
    <Section title={t('Set up a second factor')} description={props.isRequired && t('Your company requires it.')}>
      <QueryState query={enrolment}>
        {({ secret, otpauth_uri: uri }) => (
          <>
            <p className={styles['text']}>{t('Scan this with an authenticator app, or type the secret.')}</p>
            <QrCode text={uri} />
            <p className={styles['text']}>
              {t('Secret:')} <code className={styles['code']}>{secret}</code>
            </p>
            <CodeForm
              action={t('Switch on')}
              hint={t('The six digits the app shows.')}
              send={(code) => ok(account.PUT('/account/two_factor', { body: { code } }))}
              onAccepted={({ recovery_codes: codes }) => props.onConfirmed(codes)}
            />
          </>
        )}
      </QueryState>
    </Section>
  );
}

function QrCode({ text }: { text: string }): ReactNode {
  const rows = encodeQr(text, 'raw');
  return (
    <svg
      className={styles['qr']}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label={t('QR code with the secret')}
    >
      <path d={qrPath(rows)} />
    </svg>
  );
}

function CodeForm<Answer>(props: {
  action: string;
  hint?: string;
  isDestructive?: boolean;
  send: (code: string) => Promise<Answer>;
  onAccepted: (answer: Answer) => unknown;
}): ReactNode {
  const sending = useSubmit(props.send, props.onAccepted);
  return (
    <Form
      sending={sending}
      onSubmit={(typed) => sending.submit(String(typed.get('code') ?? ''))}
      submitLabel={props.action}
      button={{ variant: props.isDestructive ? 'danger' : 'primary' }}
    >
      <div className={styles['short']}>
        <TextField
          label={t('One-time code')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint={props.hint}
          errors={problem(sending.error)}
        />
      </div>
    </Form>
  );
}

function problem(error: Error | null): string[] | undefined {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'wrong_code') return [t('That code is wrong.')];
  if (code === 'two_factor_required') return [t('Your company requires a second factor.')];
  if (code === 'rate_limited') return [t('Too many attempts. Please try again later.')];
  return undefined;
}

function RecoveryCodes(props: { codes: readonly string[]; onDone: () => void }): ReactNode {
  return (
    <SettingsPage title={t('Recovery codes')} path="/security">
      <p role="status" className={styles['text']}>
        {t(
          'Your second factor is on. Keep these recovery codes where you keep other important papers: each signs you in once if you lose your phone. They are not shown again.',
        )}
      </p>
      <ul className={styles['codes']}>
        {props.codes.map((code) => (
          <li key={code}>
            <code className={styles['code']}>{code}</code>
          </li>
        ))}
      </ul>
      <FormActions>
        <ButtonLink variant="primary" href="~/dashboard/inbox">
          {t('Continue')}
        </ButtonLink>
        <Button icon={Copy} onPress={() => copyText(props.codes.join('\n'))}>
          {t('Copy')}
        </Button>
      </FormActions>
    </SettingsPage>
  );
}
