module exchange

go 1.21
