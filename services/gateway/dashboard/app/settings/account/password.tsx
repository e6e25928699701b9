import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { account, ok } from '../../api/client.ts';
import { t } from '../../i18n/translate.ts';
import { session } from '../../session.ts';
import { TextField } from '../../ui/field.tsx';
import { Fields, Form } from '../../ui/form.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { SettingsPage } from '../settings-page.tsx';
import styles from './account.module.css';

interface Passwords {
  readonly current_password: string;
  readonly password: string;
}

export function Password(): ReactNode {
  const [isChanged, setIsChanged] = useState(false);
  return (
    <SettingsPage title={t('Password')} path="/password">
      {isChanged ? (
        <p role="status" className={styles['status']}>
          {t('Your password is changed. Every other browser has to sign in again.')}
        </p>
      ) : (
        <PasswordForm onChanged={() => setIsChanged(true)} />
      )}
    </SettingsPage>
  );
}

function PasswordForm({ onChanged }: { onChanged: () => void }): ReactNode {
  const [isRepeatedWrong, setIsRepeatedWrong] = useState(false);
  const sending = useSubmit(
    (body: Passwords) => ok(account.PUT('/account/password', { body })),
    ({ sign_out_token: token }) => {
      session.signOutToken = token;
      onChanged();
    },
  );
  const { errorsOf, error } = sending;
  function change(typed: FormData): void {
    const text = (name: string) => String(typed.get(name) ?? '');
    const isSame = text('password') === text('repeat_password');
    setIsRepeatedWrong(!isSame);
    if (isSame) sending.submit({ current_password: text('current_password'), password: text('password') });
  }
  const isWrong = error instanceof ApiError && error.code === 'wrong_password';
  return (
    <Form sending={sending} onSubmit={change} submitLabel={t('Change password')}>
      <Fields>
        <TextField
          label={t('Current password')}
          name="current_password"
          type="password"
          autoComplete="current-password"
          errors={isWrong ? [t('Your current password is wrong.')] : undefined}
        />
        <TextField
          label={t('New password')}
          name="password"
          type="password"
          autoComplete="new-password"
          hint={t('At least 8 characters.')}
          errors={errorsOf('password')?.map((problem) => t(problem))}
        />
        <TextField
          label={t('Repeat new password')}
          name="repeat_password"
          type="password"
          autoComplete="new-password"
          errors={isRepeatedWrong ? [t('The two new passwords are not the same.')] : undefined}
        />
      </Fields>
    </Form>
  );
}
