import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import type { NewAddress } from '../../api/account-schema.d.ts';
import { ApiError } from '../../api/api-error.ts';
import { account, ok } from '../../api/client.ts';
import { t } from '../../i18n/translate.ts';
import { session } from '../../session.ts';
import { announce } from '../../ui/announcements.tsx';
import { TextField } from '../../ui/field.tsx';
import { Fields, Form } from '../../ui/form.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { accountChanged, newAddressQuery } from './account-queries.ts';
import styles from './account.module.css';

/** Owners confirm the new address of a coworker here. */
export function NewAddressPage(): ReactNode {
  const { id = '' } = useParams();
  const [, navigate] = useLocation();
  const address = useQuery(newAddressQuery(id));
  const title = t('New e-mail address');
  return (
    <QueryState query={address} titleOfFailure={title}>
      {(data) => (
        <Page title={title} width="text" back={{ href: '~/dashboard/team', label: t('Team') }}>
          <p className={styles['text']}>
            {t('Employee:')}{' '}
            <strong>
              <bdi>{data.employee_name}</bdi>
            </strong>
          </p>
          <ConfirmAddress employeeId={id} address={data} onConfirmed={() => navigate('~/dashboard/team')} />
        </Page>
      )}
    </QueryState>
  );
}

/** On the page of one's own security. */
export function OwnNewAddress(): ReactNode {
  const address = useQuery(newAddressQuery(session.employeeId));
  if (!address.data) return null;
  return (
    <Section title={t('New e-mail address')}>
      <ConfirmAddress
        employeeId={session.employeeId}
        address={address.data}
        onConfirmed={() => announce(t('You sign in with your new address now.'))}
      />
    </Section>
  );
}

interface Confirmation {
  readonly password: string;
  readonly one_time_code: string;
  readonly email_change: string;
}

/** The form confirms the change it shows, and no later one. */
function ConfirmAddress(props: { employeeId: string; address: NewAddress; onConfirmed: () => void }): ReactNode {
  const { employeeId, address } = props;
  const sending = useSubmit(
    (body: Confirmation) =>
      ok(
        account.POST('/account/new_addresses/{employee_id}/confirmation', {
          params: { path: { employee_id: employeeId } },
          body,
        }),
      ),
    () => {
      props.onConfirmed();
      return accountChanged();
    },
  );
  function confirm(typed: FormData): void {
    sending.submit({
      password: String(typed.get('password') ?? ''),
      one_time_code: String(typed.get('one_time_code') ?? ''),
      email_change: address.email_change,
    });
  }
  return (
    <Form sending={sending} onSubmit={confirm} submitLabel={t('Confirm new address')}>
      <p className={styles['text']}>
        {t('Until it is confirmed, the previous address is used to sign in. New address:')}{' '}
        <strong>
          <bdi>{address.email}</bdi>
        </strong>
      </p>
      <Fields>
        <TextField
          label={t('Your password')}
          name="password"
          type="password"
          autoComplete="current-password"
          errors={problem(sending.error)}
        />
        {address.can_use_code && (
          <TextField
            label={t('One-time code')}
            name="one_time_code"
            autoComplete="one-time-code"
            hint={t('Instead of the password.')}
          />
        )}
      </Fields>
    </Form>
  );
}

function problem(error: Error | null): string[] | undefined {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'wrong_password') return [t('The password is wrong.')];
  if (code === 'password_required') return [t('Enter your password. In this browser, a code is not enough.')];
  return undefined;
}
