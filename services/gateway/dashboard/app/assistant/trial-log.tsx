import { useQuery } from '@tanstack/react-query';
import type { ReactNode, Ref } from 'react';
import { Link } from 'wouter';
import type { AssistantSource } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { knowledgeEntryQuery } from '../knowledge/knowledge-queries.ts';
import { classes } from '../ui/classes.ts';
import { Unseen } from '../ui/text.tsx';
import styles from './try-it.module.css';
import type { Trial, TrialEntry } from './trial.ts';
import { actionText, sourceText } from './trial-texts.ts';

type NameOf = (id: string) => string | undefined;

/** What was said, with the source of each answer and what would be done. */
export function TrialLog(props: {
  ref: Ref<HTMLDivElement>;
  assistantName: string;
  trial: Trial;
  /** Said, and not answered yet. */
  said: string | undefined;
  nameOf: NameOf;
  /** Nothing answered this. */
  onUnanswered: (question: string) => void;
}): ReactNode {
  const { ref, trial, said } = props;
  const shared = { assistantName: props.assistantName, nameOf: props.nameOf };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls what has the focus
    <div ref={ref} role="log" aria-label={t('Conversation')} tabIndex={0} className={styles['log']}>
      {trial.entries.map((entry, index) => (
        <Entry key={index} entry={entry} {...shared}>
          {isUnanswered(entry) && (
            <p className={styles['detail']}>
              {t('Not understood')} ·{' '}
              <button
                type="button"
                className={styles['link']}
                onClick={() => props.onUnanswered(trial.entries[index - 1]?.text ?? '')}
              >
                {t('Write an answer')}
              </button>
            </p>
          )}
        </Entry>
      ))}
      {said !== undefined && <Entry entry={{ speaker: 'caller', text: said }} {...shared} />}
      {trial.hasEnded && <p className={styles['end']}>{t('The conversation would end here.')}</p>}
    </div>
  );
}

const isUnanswered = (entry: TrialEntry) => entry.speaker === 'assistant' && entry.understood === false;

function Entry(props: { entry: TrialEntry; assistantName: string; nameOf: NameOf; children?: ReactNode }): ReactNode {
  const { entry, nameOf } = props;
  if (entry.speaker === 'caller')
    return (
      <div className={classes(styles['entry'], styles['caller'])}>
        <Unseen>{t('You')}: </Unseen>
        <p className={styles['bubble']} dir="auto">
          {entry.text}
        </p>
      </div>
    );
  const { text, actions = [], sources = [] } = entry;
  return (
    <div className={styles['entry']}>
      <Unseen>{props.assistantName}: </Unseen>
      {text !== '' && (
        <p className={styles['bubble']} dir="auto">
          {text}
        </p>
      )}
      {actions.map((action, index) => (
        <p key={index} className={styles['detail']}>
          {actionText(action, nameOf)}
        </p>
      ))}
      {sources.map((source) => (
        <p key={`${source.type} ${source.id}`} className={styles['detail']}>
          <Source source={source} />
        </p>
      ))}
      {props.children}
    </div>
  );
}

function Source({ source: { type, id } }: { source: AssistantSource }): ReactNode {
  if (type !== 'knowledge_entry' || id === null) return sourceText(type);
  return (
    <Link href={`~/dashboard/knowledge/${encodeURIComponent(id)}`} className={styles['link']}>
      <EntryTitle id={id} />
    </Link>
  );
}

function EntryTitle({ id }: { id: string }): ReactNode {
  const { data: entry } = useQuery(knowledgeEntryQuery(id));
  return entry ? t('From “{title}”', { title: entry.title }) : sourceText('knowledge_entry');
}
