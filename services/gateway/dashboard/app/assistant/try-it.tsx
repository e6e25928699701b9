import { useQuery } from '@tanstack/react-query';
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Assistant } from '../api/schema.d.ts';
import { businessNumbersQuery, employeesQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { SelectField } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { RotateCcw, SendHorizontal } from '../ui/icons/index.ts';
import { Failure } from '../ui/query-state.tsx';
import box from '../ui/input-box.module.css';
import text from '../ui/text.module.css';
import type { AnsweredNumber } from './answered-numbers.ts';
import styles from './try-it.module.css';
import { type TrialCaller, TrialCallerForm } from './trial-caller.tsx';
import { TrialLog } from './trial-log.tsx';
import { type TrialCall, useTrial } from './use-trial.ts';

/** Its code is loaded by those who write. */
const NewEntry = lazy(() => import('../knowledge/new-entry.tsx'));

/** A conversation with the assistant as it is saved, without a phone. */
export function TryIt(props: {
  assistant: Assistant;
  /** A number that it answers. */
  answered: AnsweredNumber | undefined;
}): ReactNode {
  const { data: numbers } = useQuery(businessNumbersQuery);
  const [chosen, setChosen] = useState<string>();
  const [caller, setCaller] = useState<TrialCaller>({});
  const numberId = chosen ?? props.answered?.id ?? numbers?.[0]?.id;
  const phone = numbers?.find(({ id }) => id === props.answered?.id)?.number;
  const id = useId();
  return (
    <section className={styles['try']} aria-labelledby={id}>
      <h2 id={id}>{t('Try it')}</h2>
      {numbers?.length === 0 && <p className={text['meta']}>{t('It can be tried once there is a business number.')}</p>}
      {numbers && numbers.length > 1 && (
        <SelectField label={t('As a caller of')} value={numberId} onChange={({ target }) => setChosen(target.value)}>
          {numbers.map((number) => (
            <option key={number.id} value={number.id}>
              {number.name}
            </option>
          ))}
        </SelectField>
      )}
      {numberId !== undefined && (
        <>
          <TrialCallerForm numberId={numberId} onChange={setCaller} />
          <Conversation
            key={JSON.stringify([numberId, caller])}
            assistant={props.assistant}
            call={{ business_number_id: numberId, ...caller }}
          />
        </>
      )}
      {phone !== undefined && session.sandboxUrl !== null && (
        <p>
          <Link href={`~/dashboard/sandbox?${new URLSearchParams({ to: phone })}`} className={text['link']}>
            {t('Call it in the sandbox')}
          </Link>
        </p>
      )}
    </section>
  );
}

function Conversation({ assistant, call }: { assistant: Assistant; call: TrialCall }): ReactNode {
  const { trial, said, isBusy, error, say, startAgain } = useTrial(assistant.id, call);
  const { data: employees = [] } = useQuery(employeesQuery);
  const [typed, setTyped] = useState('');
  const [unanswered, setUnanswered] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const log = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [trial, said]);

  const people = [...assistant.transfer_targets, ...employees];
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const words = typed.trim();
    if (words === '' || isBusy || trial.hasEnded || trial.sessionId === undefined) return;
    setTyped('');
    // What was typed since then stays.
    if (!(await say(words))) setTyped((now) => now || words);
  }
  return (
    <>
      <TrialLog
        ref={log}
        assistantName={assistant.name}
        trial={trial}
        said={said}
        nameOf={(personId) => people.find((person) => person.id === personId)?.name}
        onUnanswered={setUnanswered}
      />
      {error && <Failure error={error} />}
      <form className={classes(box['box'], styles['say'])} onSubmit={(event) => void submit(event)}>
        <label htmlFor={id} className={text['unseen']}>
          {t('Say something')}
        </label>
        <input
          ref={input}
          id={id}
          type="text"
          className={box['input']}
          placeholder={t('Say something')}
          autoComplete="off"
          maxLength={500}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <IconButton type="submit" label={t('Say')} icon={SendHorizontal} isDisabled={trial.hasEnded} />
      </form>
      <div className={styles['foot']}>
        <Button
          size="s"
          variant={trial.hasEnded ? 'primary' : 'secondary'}
          icon={RotateCcw}
          onPress={() => {
            startAgain();
            input.current?.focus();
          }}
        >
          {t('Start again')}
        </Button>
        <span className={text['meta']}>{t('Nobody is called, and nothing is stored.')}</span>
      </div>
      {unanswered !== undefined && (
        <Suspense fallback={null}>
          <NewEntry question={{ text: unanswered }} onClose={() => setUnanswered(undefined)} />
        </Suspense>
      )}
    </>
  );
}
