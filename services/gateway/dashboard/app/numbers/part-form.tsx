import { type ReactNode, useId } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Fields, FormActions, FormFailure } from '../ui/form.tsx';
import styles from './part-form.module.css';
import type { Part } from './use-part.ts';

/** The form of a part. What was typed stays until the API has accepted it. */
export function PartForm(props: {
  part: Part;
  /** The one that was chosen in the picture. */
  isChosen?: boolean;
  description?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const { part } = props;
  const { form, error } = part;
  const id = useId();
  return (
    <section
      className={classes(styles['part'], props.isChosen && styles['chosen'])}
      aria-labelledby={id}
      data-part={part.title}
    >
      <div className={styles['head']}>
        <h2 id={id}>{part.title}</h2>
        {part.isChanged && <span className={styles['changed']}>{t('Changed')}</span>}
      </div>
      {props.description && <p className={styles['description']}>{props.description}</p>}
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void part.save();
        }}
      >
        <FormFailure error={error} form={form} />
        <Fields>{props.children}</Fields>
        {part.isOutdated && (
          <p role="status" className={styles['outdated']}>
            {t('This was changed elsewhere while you edited it. Saving replaces that change.')}
          </p>
        )}
        <FormActions>
          {/* It stays when there is nothing to save: the focus does, too. */}
          <Button type="submit" size="s" busy={part.pending}>
            {t('Save')}
          </Button>
          {part.isChanged && (
            <Button
              variant="ghost"
              size="s"
              onPress={() => {
                form.current?.querySelector<HTMLElement>('button[type=submit]')?.focus();
                part.discard();
              }}
            >
              {t('Discard changes')}
            </Button>
          )}
        </FormActions>
      </form>
    </section>
  );
}
