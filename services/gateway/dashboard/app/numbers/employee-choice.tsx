import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { employeesQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { CheckboxGroup } from '../ui/checkbox-group.tsx';
import { Failure } from '../ui/query-state.tsx';
import { SkeletonBar } from '../ui/skeleton.tsx';

/** Who is rung. */
export function EmployeeChoice(props: {
  selected: readonly string[];
  onChange: (selected: readonly string[]) => void;
  errors: readonly string[] | undefined;
}): ReactNode {
  const { data: employees, error, refetch } = useQuery(employeesQuery);
  if (!employees) {
    return error ? <Failure error={error} onRetry={refetch} /> : <SkeletonBar />;
  }
  const former = props.selected.filter((id) => employees.every((employee) => employee.id !== id));
  return (
    <CheckboxGroup
      label={t('Employees')}
      options={[
        ...employees.map(({ id, name, email, active }) => ({
          value: id,
          label: name,
          detail: active ? email : t('Deactivated'),
        })),
        ...former.map((id) => ({ value: id, label: t('Former employee') })),
      ]}
      {...props}
    />
  );
}
