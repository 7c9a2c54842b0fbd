// Short days of an exchange whose program is that of docs/recipes in Go.
import { testDays } from './exchange-days.ts'

testDays('go')
