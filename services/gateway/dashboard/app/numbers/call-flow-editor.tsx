import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { sentence } from '../api/api-error.ts';
import { employeesQuery } from '../api/shared-queries.ts';
import { CheckboxGroup } from '../ui/checkbox-group.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Failure } from '../ui/query-state.tsx';
import {
  CALL_FLOW_TYPES,
  type CallFlowForm,
  type CallFlowType,
  hasPrompt,
  MENU_ACTIONS,
  MENU_OPTIONS_MAX,
  type MenuAction,
  type MenuOptionForm,
  ringsEmployees,
  withNewOption,
} from './call-flow-form.ts';
import { PromptField } from './prompt-field.tsx';

interface EditorProps {
  readonly numberId: string;
  readonly form: CallFlowForm;
  readonly onChange: (form: CallFlowForm) => void;
  readonly errorsOf: (field: string) => readonly string[] | undefined;
  /** What it means that the slot is not set; without it, it must be set. */
  readonly notSet?: string;
}

/** What happens to a call: every type of the API. */
export function CallFlowEditor(props: EditorProps): ReactNode {
  const { numberId, form, onChange, errorsOf, notSet } = props;
  const prompt = (label: string, kind: 'welcome' | 'greeting' | 'message') => (
    <PromptField
      numberId={numberId}
      label={label}
      kind={kind}
      value={form[kind]}
      onChange={(text) => onChange({ ...form, [kind]: text })}
      errors={errorsOf(kind)}
    />
  );
  const employees = (
    <EmployeeChoice
      selected={form.employeeIds}
      onChange={(employeeIds) => onChange({ ...form, employeeIds })}
      errors={errorsOf('employee_ids')}
    />
  );
  return (
    <>
      <SelectField
        label="Routing"
        value={form.type ?? ''}
        errors={errorsOf('type')}
        onChange={(event) => onChange({ ...form, type: (event.target.value || null) as CallFlowType | null })}
      >
        {notSet !== undefined && <option value="">{notSet}</option>}
        {CALL_FLOW_TYPES.map(([type, text]) => (
          <option key={type} value={type}>
            {text}
          </option>
        ))}
      </SelectField>
      {form.type === 'TransferConfig' && employees}
      {form.type === 'WelcomeTransferConfig' && (
        <>
          {prompt('Welcome', 'welcome')}
          {employees}
        </>
      )}
      {form.type === 'RejectConfig' && prompt('Message', 'message')}
      {form.type === 'VoicemailConfig' && prompt('Greeting', 'greeting')}
      {form.type === 'PhoneMenuConfig' && (
        <>
          {prompt('Welcome', 'welcome')}
          <MenuOptions {...props} />
        </>
      )}
    </>
  );
}

function MenuOptions({ numberId, form, onChange, errorsOf }: EditorProps): ReactNode {
  const add = useRef<HTMLButtonElement>(null);
  const [added, setAdded] = useState('');
  const errors = errorsOf('menu_options');
  const change = (index: number, option: MenuOptionForm): void =>
    onChange({ ...form, options: form.options.with(index, option) });
  return (
    <>
      {form.options.map((option, index) => (
        <MenuOptionEditor
          key={option.key}
          numberId={numberId}
          option={option}
          isNew={option.key === added}
          onChange={(changed) => change(index, changed)}
          onRemove={() => {
            onChange({ ...form, options: form.options.toSpliced(index, 1) });
            add.current?.focus();
          }}
          errorsOf={(field) => errorsOf(`menu_options[${index}].${field}`)}
        />
      ))}
      {errors && <p className="field-error">{errors.map((message) => sentence(`The menu ${message}`)).join(' ')}</p>}
      <p>
        <button
          ref={add}
          type="button"
          className="quiet"
          disabled={form.options.length >= MENU_OPTIONS_MAX}
          onClick={() => {
            const key = crypto.randomUUID();
            setAdded(key);
            onChange(withNewOption(form, key));
          }}
        >
          Add option
        </button>
      </p>
    </>
  );
}

function MenuOptionEditor(props: {
  numberId: string;
  option: MenuOptionForm;
  /** Just added: its first field gets the focus. */
  isNew: boolean;
  onChange: (option: MenuOptionForm) => void;
  onRemove: () => void;
  errorsOf: (field: string) => readonly string[] | undefined;
}): ReactNode {
  const { option, onChange, errorsOf } = props;
  return (
    <fieldset className="menu-option">
      <legend>Option {option.digit}</legend>
      <TextField
        label="Key"
        inputMode="numeric"
        maxLength={1}
        autoFocus={props.isNew}
        value={option.digit}
        errors={errorsOf('digit')}
        onChange={(event) => onChange({ ...option, digit: event.target.value })}
      />
      <SelectField
        label="Action"
        value={option.action}
        errors={errorsOf('action_type')}
        onChange={(event) => onChange({ ...option, action: event.target.value as MenuAction })}
      >
        {MENU_ACTIONS.map(([action, text]) => (
          <option key={action} value={action}>
            {text}
          </option>
        ))}
      </SelectField>
      {hasPrompt(option.action) && (
        <PromptField
          numberId={props.numberId}
          label="Prompt"
          kind="prompt"
          value={option.prompt}
          onChange={(prompt) => onChange({ ...option, prompt })}
          errors={errorsOf('prompt')}
        />
      )}
      {ringsEmployees(option.action) && (
        <EmployeeChoice
          selected={option.employeeIds}
          onChange={(employeeIds) => onChange({ ...option, employeeIds })}
          errors={errorsOf('employee_ids')}
        />
      )}
      <button type="button" className="danger" onClick={props.onRemove}>
        Remove option {option.digit}
      </button>
    </fieldset>
  );
}

function EmployeeChoice(props: {
  selected: readonly string[];
  onChange: (selected: readonly string[]) => void;
  errors: readonly string[] | undefined;
}): ReactNode {
  const { data: employees, error, refetch } = useQuery(employeesQuery);
  if (!employees) {
    return error ? <Failure error={error} onRetry={refetch} /> : <p className="soft">Loading employees…</p>;
  }
  const former = props.selected.filter((id) => employees.every((employee) => employee.id !== id));
  return (
    <CheckboxGroup
      label="Employees"
      options={[
        ...employees.map(({ id, name, email }) => ({ value: id, label: name, detail: email })),
        ...former.map((id) => ({ value: id, label: 'Former employee', detail: id })),
      ]}
      {...props}
    />
  );
}
