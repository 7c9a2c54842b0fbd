// Short days of an exchange whose program is that of docs/recipes in Python.
import { testDays } from './exchange-days.ts'

testDays('python')
