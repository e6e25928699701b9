import { skipToken, useMutation, useQuery } from '@tanstack/react-query';
import {
  type FormEvent,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useId,
  useRef,
  useState,
} from 'react';
import { ApiError, sentence } from '../api/api-error.ts';
import { api, ok } from '../api/client.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ListPlus, MessageSquareLock, SendHorizontal } from '../ui/icons/index.ts';
import { Failure } from '../ui/query-state.tsx';
import { refreshActivity, showSent } from './activity-queries.ts';
import { sendProblem } from './activity-texts.ts';
import styles from './composer.module.css';
import { afterSending, attemptOf, insertAt } from './draft.ts';
import { useSenders } from './sender-queries.ts';
import { useDraft } from './use-draft.ts';
import text from '../ui/text.module.css';

/** Their code is loaded when they are opened. */
const CommentComposer = lazy(() => import('./comment-composer.tsx'));
const SnippetsDialog = lazy(() => import('./snippets-dialog.tsx'));

/** Writes and sends texts, or comments for the team. `latestNumberId`: replies go out from it, if it can send. */
export function Composer(props: { phoneNumber: string; latestNumberId: string | undefined }): ReactNode {
  const [isComment, setIsComment] = useState(false);
  return isComment ? (
    <Suspense fallback={null}>
      <CommentComposer phoneNumber={props.phoneNumber} onClose={() => setIsComment(false)} />
    </Suspense>
  ) : (
    <TextComposer {...props} onComment={() => setIsComment(true)} />
  );
}

function TextComposer(props: {
  phoneNumber: string;
  latestNumberId: string | undefined;
  onComment: () => void;
}): ReactNode {
  const { phoneNumber, latestNumberId } = props;
  const senders = useSenders();
  const [draft, changeDraft] = useDraft(phoneNumber);
  const [choosesSnippet, setChoosesSnippet] = useState(false);
  const message = useRef<HTMLTextAreaElement>(null);
  const parts = useParts(draft.text) ?? '0 parts';
  const id = useId();

  const known = senders.data ?? [];
  const isSender = (candidate: string | undefined) => known.some((number) => number.id === candidate);
  const only = known.length === 1 ? known[0]?.id : undefined;
  const from = [draft.from, latestNumberId, only].find(isSender) ?? '';

  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (attempt: ReturnType<typeof attemptOf>) =>
      ok(
        api.POST('/api/v1/business_numbers/{id}/messages', {
          params: { path: { id: attempt.from } },
          body: { to: phoneNumber, text: attempt.text, idempotency_key: attempt.key },
        }),
      ),
    onSuccess: (sent, attempt) => {
      changeDraft((now) => afterSending(now, attempt.text));
      showSent(phoneNumber, sent);
      announce(t('Text sent.'));
      message.current?.focus();
      void refreshActivity(phoneNumber);
    },
    onError: (failure, attempt) => {
      if (!(failure instanceof ApiError)) return;
      // It is stored, and shown with its state and a button to retry it.
      if (typeof failure.body['message_id'] === 'string') {
        changeDraft((now) => afterSending(now, attempt.text));
        void refreshActivity(phoneNumber);
      } else if (!failure.isTemporary) changeDraft((now) => ({ ...now, attempt: undefined }));
    },
  });

  function type(text: string): void {
    // From the first letter on the sender stays, whatever arrives meanwhile.
    changeDraft((now) => ({ ...now, text, from: now.from || from }));
    if (error) reset();
  }
  const canSend = !isPending && draft.text.trim() !== '' && senders.data !== undefined;
  function send(event: FormEvent): void {
    event.preventDefault();
    if (!canSend) return;
    const attempt = attemptOf(draft, from, () => crypto.randomUUID());
    changeDraft((now) => ({ ...now, attempt }));
    mutate(attempt);
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // The browser asks for the sender if there is none.
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  }
  function insert(snippet: string): void {
    const { selectionStart = draft.text.length, selectionEnd = selectionStart } = message.current ?? {};
    const { text, caret } = insertAt(draft.text, snippet, selectionStart, selectionEnd);
    type(text);
    setChoosesSnippet(false);
    requestAnimationFrame(() => {
      message.current?.focus();
      message.current?.setSelectionRange(caret, caret);
    });
  }

  if (senders.data?.length === 0)
    return (
      <div className={styles['none']}>
        <p>{t('None of your business numbers can send texts, so you cannot reply by text here.')}</p>
        <Button size="s" icon={MessageSquareLock} onPress={props.onComment}>
          {t('Comment')}
        </Button>
      </div>
    );
  return (
    <form onSubmit={send} className={styles['composer']}>
      {senders.error && !senders.data && <Failure error={senders.error} onRetry={() => senders.refetch()} />}
      {error && <Failure error={new Error(explain(error))} />}
      <div className={styles['bar']}>
        <textarea
          id={id}
          ref={message}
          className={styles['text']}
          aria-label={t('Message')}
          placeholder={t('Write a text')}
          data-composer
          rows={1}
          value={draft.text}
          aria-describedby={`${id}-parts`}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className={styles['foot']}>
          <span className={styles['from']}>
            <SelectField
              label={t('Send from')}
              hideLabel
              look="quiet"
              value={from}
              required
              disabled={!senders.data}
              onChange={({ target: { value } }) => changeDraft((now) => ({ ...now, from: value }))}
            >
              {from === '' && <option value="">{senders.data ? t('Choose a number') : t('Loading numbers…')}</option>}
              {known.map((number) => (
                <option key={number.id} value={number.id}>
                  {number.name} ({number.number_formatted})
                </option>
              ))}
            </SelectField>
          </span>
          <IconButton
            label={t('Snippets')}
            icon={ListPlus}
            aria-haspopup="dialog"
            onPress={() => setChoosesSnippet(true)}
          />
          <IconButton label={t('Comment')} icon={MessageSquareLock} onPress={props.onComment} />
          <span id={`${id}-parts`} className={isLong(draft.text, parts) ? styles['parts'] : text['unseen']}>
            {parts}. {t('Ctrl+Enter sends.')}
          </span>
          <span className={styles['send']}>
            <Button
              type="submit"
              variant="primary"
              icon={SendHorizontal}
              busy={isPending}
              isDisabled={!canSend && !isPending}
            >
              <span className={styles['word']}>{t('Send')}</span>
            </Button>
          </span>
        </div>
      </div>
      <Suspense fallback={null}>
        {choosesSnippet && <SnippetsDialog onChoose={insert} onClose={() => setChoosesSnippet(false)} />}
      </Suspense>
    </form>
  );
}

/** From here on the number of parts matters to somebody who sees it. */
const LONG_TEXT = 140;

function isLong(text: string, parts: string): boolean {
  return text.length >= LONG_TEXT || !/^[01] /.test(parts);
}

function explain(error: Error): string {
  if (!(error instanceof ApiError)) return error.message;
  const [field, messages] = Object.entries(error.fields)[0] ?? [];
  if (field !== undefined && messages?.[0] !== undefined) return sentence(`${field} ${messages[0]}`);
  return sendProblem(error.code) ?? error.message;
}

/** In how many parts a text is sent, in words; the code that counts is loaded when somebody writes. */
function useParts(text: string): string | undefined {
  const counted = useDeferredValue(text);
  const { data } = useQuery({
    queryKey: ['sms parts', counted],
    queryFn: counted === '' ? skipToken : async () => (await import('./sms-parts.ts')).partsWords(counted),
    staleTime: Infinity,
    gcTime: 0,
    placeholderData: (known) => known,
  });
  return counted === '' ? undefined : data;
}
