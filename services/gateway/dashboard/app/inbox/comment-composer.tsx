import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { api, ok } from '../api/client.ts';
import { t } from '../i18n/translate.ts';
import { useEmployees } from '../live/use-employees.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { MessageSquare } from '../ui/icons/index.ts';
import { Failure } from '../ui/query-state.tsx';
import { refreshActivity } from './activity-queries.ts';
import styles from './composer.module.css';
import { EMPTY_DRAFT } from './draft.ts';
import { mentionBefore, withMention } from './mentions.ts';
import { useDraft } from './use-draft.ts';

const SUGGESTED_MAX = 5;

/** Writes what only the team sees, in the place where texts are written. */
export default function CommentComposer(props: { phoneNumber: string; onClose: () => void }): ReactNode {
  const { phoneNumber } = props;
  const [draft, changeDraft] = useDraft(`comment ${phoneNumber}`);
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(draft.text.length);
  const { data: employees = [] } = useEmployees();
  const wanted = mentionBefore(draft.text, caret);
  const suggested =
    wanted === undefined
      ? []
      : employees
          .filter(({ name, active }) => active && name.toLowerCase().startsWith(wanted.toLowerCase()))
          .slice(0, SUGGESTED_MAX);
  useEffect(() => field.current?.focus(), []);
  const add = useMutation({
    mutationFn: (text: string) =>
      ok(
        api.POST('/api/v1/inbox/{phone_number}/comments', {
          params: { path: { phone_number: phoneNumber } },
          body: { text },
        }),
      ),
    onSuccess: async (_added, text) => {
      changeDraft((now) => (now.text.trim() === text ? EMPTY_DRAFT : now));
      field.current?.focus();
      await refreshActivity(phoneNumber);
    },
  });
  const text = draft.text.trim();
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text !== '' && !add.isPending) add.mutate(text);
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
    if (event.key === 'Escape') props.onClose();
  }
  function type(typed: string, at: number): void {
    changeDraft((now) => ({ ...now, text: typed }));
    setCaret(at);
    if (add.error) add.reset();
  }
  function mention(name: string): void {
    const { text: typed, caret: at } = withMention(draft.text, caret, name);
    type(typed, at);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(at, at);
    });
  }
  return (
    <form onSubmit={submit} className={styles['composer']}>
      {add.error && <Failure error={add.error} />}
      {suggested.length > 0 && (
        <ul className={styles['people']} aria-label={t('Coworkers')}>
          {suggested.map(({ id, name }) => (
            <li key={id}>
              <button type="button" className={styles['person']} onClick={() => mention(name)}>
                <Avatar id={id} name={name} size={20} />
                <bdi>{name}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={classes(styles['bar'], styles['comment'])}>
        <textarea
          ref={field}
          className={styles['text']}
          aria-label={t('Comment')}
          placeholder={t('Write a comment for your team, @ mentions a coworker')}
          rows={1}
          maxLength={5000}
          value={draft.text}
          onChange={({ target }) => type(target.value, target.selectionStart)}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
        />
        <div className={styles['foot']}>
          <IconButton label={t('Write a text instead')} icon={MessageSquare} onPress={props.onClose} />
          <span className={styles['parts']}>{t('Only your team sees it.')}</span>
          <span className={styles['send']}>
            <Button type="submit" busy={add.isPending} isDisabled={text === ''}>
              {t('Add comment')}
            </Button>
          </span>
        </div>
      </div>
    </form>
  );
}
