import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Copy } from '../ui/icons/index.ts';

/** A new secret, which the API shows once. */
export function SecretDialog(props: {
  title: string;
  secret: string;
  onClose: () => void;
  children?: ReactNode;
}): ReactNode {
  const { secret } = props;
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <TextField
        label={t('Secret')}
        hint={t(
          'Copy it now: it is not shown again. Your receiver checks the signature of each request with it (Standard Webhooks).',
        )}
        readOnly
        autoFocus
        value={secret}
        onFocus={(event) => event.target.select()}
      />
      <DialogActions>
        {props.children}
        <Button onPress={props.onClose}>{t('Done')}</Button>
        <Button variant="primary" icon={Copy} onPress={() => copyText(secret)}>
          {t('Copy')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
