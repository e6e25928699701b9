import type { ReactNode } from 'react';
import { number, percent } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { Section } from '../ui/page.tsx';
import { type CallEnd, callEnds } from './call-ends.ts';
import styles from './call-ends-section.module.css';
import type { Figures } from './report-queries.ts';

/** The shares of the ways in which calls end, as one bar and with their counts. */
export function CallEndsSection(props: {
  totals: Figures;
  /** Of incoming calls only; undefined until it is known, and without assistants. */
  inbound: Figures | undefined;
}): ReactNode {
  const { totals } = props;
  const ends = callEnds(totals, props.inbound);
  const shown = (Object.keys(ends) as CallEnd[]).filter((end) => ends[end] > 0 || end === 'answered');
  return (
    <Section title={t('How calls end')}>
      {totals.total === 0 ? (
        <p className={styles['empty']}>{t('No calls in this period.')}</p>
      ) : (
        <>
          <div className={styles['bar']} aria-hidden="true">
            {shown.map(
              (end) =>
                ends[end] > 0 && (
                  <span key={end} className={styles[end]} style={{ flexGrow: ends[end] / totals.total }} />
                ),
            )}
          </div>
          <ul className={styles['list']}>
            {shown.map((end) => (
              <li key={end}>
                <span className={classes(styles['swatch'], styles[end])} />
                <span>{endText(end)}</span>
                <span className={styles['count']}>{number(ends[end])}</span>
                <span className={styles['share']}>{percent(ends[end] / totals.total)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

function endText(end: CallEnd): string {
  return {
    answered: t('Answered'),
    resolved: t('Resolved by the assistant'),
    message: t('Message or callback taken'),
    voicemail: t('Left a voicemail'),
    abandoned: t('Hung up while waiting'),
    missed: t('Missed otherwise'),
    others: t('Others'),
  }[end];
}
