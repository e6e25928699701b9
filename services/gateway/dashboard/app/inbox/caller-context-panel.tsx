import type { ReactNode } from 'react';
import type { CallerContext } from '../api/schema.d.ts';
import { QueryState } from '../ui/query-state.tsx';
import { isSafeUrl } from '../ui/safe-url.ts';
import { Badge } from '../ui/badge.tsx';
import { useCallerContext } from './activity-queries.ts';
import styles from './caller-context-panel.module.css';
import { type ContextValue, valueWords } from './context-value.ts';

type Context = CallerContext['contexts'][number];
type ContextSection = Context['sections'][number];

/** The records of connected systems about a caller. */
export function CallerContextPanel({ phoneNumber }: { phoneNumber: string }): ReactNode {
  const query = useCallerContext(phoneNumber);
  return (
    <QueryState query={query} skeleton={null}>
      {({ contexts }) => contexts.map((context, index) => <ContextOfProvider key={index} context={context} />)}
    </QueryState>
  );
}

function ContextOfProvider({ context }: { context: Context }): ReactNode {
  return (
    <section className={styles['context']} aria-label={context.label}>
      <h2 className={styles['heading']}>
        <SafeLink url={context.url}>
          <bdi>{context.label}</bdi>
        </SafeLink>{' '}
        <bdi className={styles['source']}>{context.source}</bdi>
      </h2>
      {context.sections.map((section, index) => (
        <SectionOfContext key={index} section={section} />
      ))}
    </section>
  );
}

function SectionOfContext({ section }: { section: ContextSection }): ReactNode {
  if (section.type === 'fields') {
    return (
      <>
        {section.label && <h3 className={styles['label']}>{section.label}</h3>}
        <dl className={styles['fields']}>
          {section.fields.map(({ label, value, format, url, bold }, index) => (
            <div key={index}>
              <dt>
                <bdi>{label}</bdi>
              </dt>
              <dd className={bold ? styles['bold'] : undefined}>
                <SafeLink url={url}>
                  <Value value={value} format={format} />
                </SafeLink>
              </dd>
            </div>
          ))}
        </dl>
      </>
    );
  }
  return (
    <>
      <h3 className={styles['label']}>{section.label}</h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls what has the focus */}
      <div className={styles['table']} tabIndex={0} role="region" aria-label={section.label}>
        <table>
          <thead>
            <tr>
              {section.columns.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {section.rows.map(({ url, values }, index) => (
              <tr key={index}>
                {section.columns.map(({ key, format }, column) => (
                  <td key={key}>
                    <SafeLink url={column === 0 ? url : undefined}>
                      <Value value={values[key]} format={format} />
                    </SafeLink>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Value({ value, format }: { value: ContextValue | undefined; format: string | undefined }): ReactNode {
  if (value === undefined) return null;
  const words = valueWords(value, format);
  return format === 'badge' ? <Badge tone="warn">{words}</Badge> : <bdi>{words}</bdi>;
}

function SafeLink({ url, children }: { url: string | null | undefined; children: ReactNode }): ReactNode {
  if (!url || !isSafeUrl(url)) return children;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
