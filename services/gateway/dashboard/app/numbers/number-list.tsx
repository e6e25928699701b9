import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';

export function NumberList(): ReactNode {
  const numbers = useQuery(businessNumbersQuery);
  return (
    <Page title="Numbers">
      <QueryState query={numbers} what="numbers">
        {(list) =>
          list.length === 0 ? (
            <p>Your company has no business number yet. Ask your provider for one.</p>
          ) : (
            <div className="table-scroll">
              <table>
                <caption className="visually-hidden">Business numbers</caption>
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Number</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map(({ id, name, number_formatted: formatted }) => (
                    <tr key={id}>
                      <td>
                        <Link href={`/${id}`}>{name}</Link>
                      </td>
                      <td>{formatted}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </QueryState>
    </Page>
  );
}
