import { Checkbox } from '../ui/form-controls.tsx'

interface DepartmentChecksProps {
  departments: readonly { deptid: number; name: string }[]
  chosen: readonly number[]
  onChange(chosen: readonly number[]): void
}

/** A box for each department. */
export function DepartmentChecks({ departments, chosen, onChange }: DepartmentChecksProps) {
  return departments.map(({ deptid, name }) => (
    <Checkbox
      key={deptid}
      label={name}
      checked={chosen.includes(deptid)}
      onChange={isOn => onChange(isOn ? [...chosen, deptid] : chosen.filter(each => each !== deptid))}
    />
  ))
}
