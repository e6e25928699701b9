import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { api, ok } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { sections } from './sections.ts';

export function Navigation(): ReactNode {
  const [location] = useLocation();
  return (
    <nav aria-label="Dashboard">
      <ul>
        {sections.map(({ path, name }) => {
          const current = location === path || location.startsWith(`${path}/`) ? 'page' : undefined;
          return (
            <li key={path}>
              {path === '/inbox' ? (
                <InboxLink path={path} name={name} current={current} />
              ) : (
                <Link href={path} aria-current={current}>
                  {name}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** With the number of people whose activity nobody has seen. */
function InboxLink({ path, name, current }: { path: string; name: string; current: 'page' | undefined }): ReactNode {
  const { data } = useQuery({
    queryKey: queryKeys.unseen,
    queryFn: ({ signal }) => ok(api.GET('/api/v1/activity/unseen', { signal })),
  });
  const count = data?.unseen_count ?? 0;
  return (
    <Link href={path} aria-current={current} aria-label={count > 0 ? `${name}, ${count} unseen` : undefined}>
      {name}
      {count > 0 && <span className="badge" data-count={count} />}
    </Link>
  );
}
