import type { FormEvent, ReactNode } from 'react';
import { useLocation } from 'wouter';
import { api, ok } from '../api/client.ts';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { FormActions } from '../ui/form.tsx';
import { Failure } from '../ui/query-state.tsx';
import { useSubmit } from '../ui/use-submit.ts';

/** Asks for the number of somebody to write to, who may be in no thread yet. */
export default function NewMessageDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const { submit, pending, errorsOf, error, form } = useSubmit(
    (phoneNumber: string) =>
      // The API normalises the number, or says what is wrong with it.
      ok(
        api.GET('/api/v1/inbox/{phone_number}/activity', {
          params: { path: { phone_number: phoneNumber }, query: { limit: '1' } },
        }),
      ),
    ({ phone_number: phoneNumber }) => {
      onClose();
      navigate(`/${encodeURIComponent(phoneNumber)}`);
    },
  );
  function open(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    submit(String(new FormData(event.currentTarget).get('phone_number')).trim());
  }
  const errors = errorsOf('phone_number');
  return (
    <Dialog title={t('New message')} onClose={onClose}>
      <form ref={form} onSubmit={open}>
        {error && !errors && <Failure error={error} />}
        <TextField
          name="phone_number"
          label={t('Phone number')}
          type="tel"
          required
          autoFocus
          hint={t('With the country code, or a number of your own country.')}
          errors={errors}
        />
        <FormActions>
          <Button type="submit" variant="primary" busy={pending}>
            {t('Continue')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  );
}
