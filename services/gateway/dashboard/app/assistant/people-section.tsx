import type { ReactNode } from 'react';
import type { Assistant } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { EmployeeChoice } from '../numbers/employee-choice.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { DraftSection } from '../ui/draft-section.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { Fields } from '../ui/form.tsx';
import { GroupList } from '../ui/group-list.tsx';
import text from '../ui/text.module.css';
import { cacheAssistant } from './assistant-queries.ts';
import { useSectionDraft } from './section-draft.ts';
import { newTarget, targetBody, type TargetForm, targetForms, TARGETS_MAX } from './transfer-target-form.ts';

type ErrorsOf = (field: string) => readonly string[] | undefined;

/** Whom callers can be connected with. */
export function PeopleSection({ assistant }: { assistant: Assistant }): ReactNode {
  const saved = { byName: assistant.reach_employees_by_name, targets: targetForms(assistant) };
  const { draft, save } = useSectionDraft(assistant, 'people', saved, ({ byName, targets }) => ({
    ...(byName !== undefined && { reach_employees_by_name: byName }),
    ...(targets && { transfer_targets: targets.map(targetBody) }),
  }));
  const { value, set } = draft;
  return (
    <DraftSection title={t('People and teams')} draft={draft} save={save} onSaved={cacheAssistant} isMain={false}>
      {(errorsOf) => (
        <Fields>
          <Checkbox
            label={t('Callers may ask for every employee by name')}
            checked={value.byName}
            onChange={(byName) => set({ ...value, byName })}
          />
          <p className={text['meta']}>
            {t('Add teams, subjects and phones outside the company that callers ask for, such as “Sales”.')}
          </p>
          <Targets targets={value.targets} onChange={(targets) => set({ ...value, targets })} errorsOf={errorsOf} />
        </Fields>
      )}
    </DraftSection>
  );
}

function Targets(props: {
  targets: readonly TargetForm[];
  onChange: (targets: readonly TargetForm[]) => void;
  errorsOf: ErrorsOf;
}): ReactNode {
  return (
    <GroupList
      items={props.targets}
      itemsMax={TARGETS_MAX}
      onChange={props.onChange}
      nameOf={nameOf}
      removeText={(target) => t('Remove {name}', { name: nameOf(target) })}
      addText={t('Add a person or team')}
      create={newTarget}
    >
      {(target, isNew, index, onChange) => (
        <TargetFields
          target={target}
          isNew={isNew}
          onChange={onChange}
          errorsOf={(field) => props.errorsOf(`transfer_targets[${index}].${field}`)}
        />
      )}
    </GroupList>
  );
}

const nameOf = (target: TargetForm) => target.name.trim() || t('New person or team');

function TargetFields(props: {
  target: TargetForm;
  isNew: boolean;
  onChange: (target: TargetForm) => void;
  errorsOf: ErrorsOf;
}): ReactNode {
  const { target, onChange, errorsOf } = props;
  return (
    <>
      <Fields areShort>
        <TextField
          label={t('Name')}
          maxLength={64}
          autoFocus={props.isNew}
          value={target.name}
          errors={errorsOf('name')}
          onChange={(event) => onChange({ ...target, name: event.target.value })}
        />
        <SelectField
          label={t('Who rings')}
          value={target.rings}
          onChange={(event) => onChange({ ...target, rings: event.target.value as TargetForm['rings'] })}
        >
          <option value="employees">{t('Employees')}</option>
          <option value="phone">{t('A phone outside the company')}</option>
        </SelectField>
      </Fields>
      <TextArea
        label={t('Other names')}
        hint={t('As callers say them, one in a line.')}
        rows={2}
        value={target.aliases}
        errors={errorsOf('aliases')}
        onChange={(event) => onChange({ ...target, aliases: event.target.value })}
      />
      {target.rings === 'employees' ? (
        <EmployeeChoice
          selected={target.employeeIds}
          onChange={(employeeIds) => onChange({ ...target, employeeIds })}
          errors={errorsOf('employee_ids')}
        />
      ) : (
        <TextField
          label={t('Phone number')}
          type="tel"
          maxLength={40}
          value={target.phone}
          errors={errorsOf('phone_number')}
          onChange={(event) => onChange({ ...target, phone: event.target.value })}
        />
      )}
    </>
  );
}
