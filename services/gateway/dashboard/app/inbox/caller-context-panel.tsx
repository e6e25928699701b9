import type { ReactNode } from 'react';
import type { CallerContext, Contact } from '../api/schema.d.ts';
import { QueryState } from '../ui/query-state.tsx';
import { isSafeUrl } from '../ui/safe-url.ts';
import { useCallerContext } from './activity-queries.ts';
import { type ContextValue, valueWords } from './context-value.ts';

type Context = CallerContext['contexts'][number];
type ContextSection = Context['sections'][number];

/** What is known of a caller: the contact, and what connected systems say. */
export function CallerContextPanel(props: { phoneNumber: string; contact: Contact | null }): ReactNode {
  const query = useCallerContext(props.phoneNumber);
  return (
    <aside className="caller-context" aria-label="Caller context">
      {props.contact && <ContactDetails contact={props.contact} />}
      <section>
        <h2>Caller context</h2>
        <QueryState query={query} what="caller context">
          {({ contexts }) =>
            contexts.length === 0 ? (
              <p className="soft">No connected system knows this number.</p>
            ) : (
              contexts.map((context, index) => <ContextOfProvider key={index} context={context} />)
            )
          }
        </QueryState>
      </section>
    </aside>
  );
}

function ContactDetails({ contact }: { contact: Contact }): ReactNode {
  const details = [
    ['Company', contact.company_name],
    ['E-mail', contact.email],
    ['Note', contact.note],
  ].filter(([, value]) => value);
  if (details.length === 0) return null;
  return (
    <section>
      <h2>Contact</h2>
      <dl>
        {details.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="item-text">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function ContextOfProvider({ context }: { context: Context }): ReactNode {
  return (
    <div className="context">
      <h3>
        <SafeLink url={context.url}>{context.label}</SafeLink>
      </h3>
      <p className="soft">{context.source}</p>
      {context.sections.map((section, index) => (
        <SectionOfContext key={index} section={section} />
      ))}
    </div>
  );
}

function SectionOfContext({ section }: { section: ContextSection }): ReactNode {
  if (section.type === 'fields') {
    return (
      <>
        {section.label && <h4>{section.label}</h4>}
        <dl>
          {section.fields.map(({ label, value, format, url, bold }, index) => (
            <div key={index}>
              <dt>{label}</dt>
              <dd className={bold ? 'bold' : undefined}>
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
      <h4>{section.label}</h4>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls what has the focus */}
      <div className="table-scroll" tabIndex={0} role="region" aria-label={section.label}>
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
  return format === 'badge' ? <span className="context-badge">{words}</span> : words;
}

function SafeLink({ url, children }: { url: string | null | undefined; children: ReactNode }): ReactNode {
  if (!url || !isSafeUrl(url)) return children;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
