import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { announce } from './announcements.tsx';
import { Form } from './form.tsx';
import styles from './form.module.css';
import { Section } from './page.tsx';
import type { Draft } from './use-draft.ts';
import { type Submit, useSubmit } from './use-submit.ts';

/** A part of a page that is edited and saved by itself. What was typed stays until the API has accepted it. */
export function DraftSection<Value, Saved>(props: {
  title: string;
  draft: Draft<Value>;
  save: (value: Value) => Promise<Saved>;
  /** Before the edits are replaced by the saved value. */
  onSaved: (saved: Saved) => void;
  /** One filled button in a view: false where there are several sections. */
  isMain?: boolean;
  children: (errorsOf: Submit<Value>['errorsOf']) => ReactNode;
}): ReactNode {
  const { title, draft, isMain = true } = props;
  const sending = useSubmit(props.save, (saved, submitted: Value) => {
    props.onSaved(saved);
    draft.accept(submitted);
    announce(t('{part}: saved.', { part: title }));
  });
  function discard(): void {
    draft.discard();
    sending.reset();
  }
  return (
    <Section title={title}>
      <Form
        sending={{ ...sending, unsaved: { isChanged: draft.isChanged, discard } }}
        onSubmit={() => sending.submit(draft.value)}
        submitLabel={t('Save')}
        button={{ variant: isMain ? 'primary' : 'secondary' }}
      >
        {props.children(sending.errorsOf)}
        {draft.isOutdated && (
          <p role="status" className={styles['notice']}>
            {t('This was changed elsewhere while you edited it. Saving replaces that change.')}
          </p>
        )}
      </Form>
    </Section>
  );
}
