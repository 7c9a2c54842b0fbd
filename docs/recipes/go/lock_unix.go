//go:build unix

package main

import (
	"errors"
	"syscall"
)

// Locks a file until the program ends, however it ends. True where another program has it.
func lock(file string) (bool, error) {
	// A plain number, since an os.File that nobody holds any more is closed. A signer does not inherit it.
	held, err := syscall.Open(file, syscall.O_RDWR|syscall.O_CREAT|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return false, err
	}
	err = syscall.Flock(held, syscall.LOCK_EX|syscall.LOCK_NB)
	return errors.Is(err, syscall.EWOULDBLOCK), err
}
