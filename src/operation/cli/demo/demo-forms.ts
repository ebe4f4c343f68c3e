import type { FieldKind } from '../../../core/tables/fields.ts'
import type { Changes } from '../../../tickets/fields/field-definition.ts'

// What the technical support of the demo asks.

/** Ids of options: their places from 1 on. */
const [inverter, wallbox] = [1, 3]

export const demoFields: (Changes & { key: string; label: string; kind: FieldKind })[] = [
  {
    key: 'product',
    label: 'Product',
    kind: 'select',
    options: ['Inverter', 'Storage', 'Wallbox', 'App'].map(label => ({ label })),
    client_access: 'write',
    required_on: 'open',
    is_filterable: 1
  },
  {
    key: 'serial_number',
    label: 'Serial number',
    kind: 'text',
    client_access: 'write',
    hint: 'On the plate below the display'
  },
  { key: 'error_code', label: 'Error code', kind: 'text', client_access: 'write' },
  { key: 'yield_kwh', label: 'Yield in kWh', kind: 'number', client_access: 'write' },
  {
    key: 'cause',
    label: 'Cause',
    kind: 'select',
    options: ['Firmware', 'Hardware', 'Installation', 'Operation'].map(label => ({ label })),
    required_on: 'close'
  },
  { key: 'parts_used', label: 'Parts used', kind: 'text' }
]

interface DemoItem {
  field: string
  required: 0 | 1
  showIf?: { field: string; in: number[] }
}

export const demoForm: { name: string; deptids: number[]; items: DemoItem[] } = {
  name: 'Devices',
  deptids: [1],
  items: [
    { field: 'product', required: 1 },
    { field: 'serial_number', required: 0 },
    { field: 'error_code', required: 0, showIf: { field: 'product', in: [inverter, wallbox] } },
    { field: 'yield_kwh', required: 0, showIf: { field: 'product', in: [inverter] } },
    { field: 'cause', required: 0 },
    { field: 'parts_used', required: 0 }
  ]
}
